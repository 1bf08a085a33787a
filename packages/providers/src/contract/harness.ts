/** What the contract needs of an engine's test rig. `make()` gives a fresh one per case. */
import type { Clock, ServiceSpec, WorkloadInput } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { Endpoint } from '../observed.ts'
import type { Provider } from '../provider.ts'
import type { InstanceRecords } from '../records.ts'
import type { Ref, Slot, WorkloadRef } from '../ref.ts'
import type { TestCommand, TestProgram } from './program.ts'
import type { TestSecrets } from './secrets.ts'

/** How a program is expressed here; the case adds the rest of the service, `args` included. */
export type ProgramSpec = Partial<Pick<ServiceSpec, 'image' | 'command'>>

/** What really exists, read past the engine under test: with its own client, from /proc, out of memory. */
export type Truth = {
  /** Every object made for the instance, of whatever kind (network, container, process, volume …), with its labels. */
  readonly objects: readonly TruthObject[]
  readonly services: readonly TruthService[]
  readonly volumes: readonly { readonly id: string; readonly name: string; readonly replica: number }[]
}

export type TruthObject = {
  readonly id: string
  readonly kind: string
  /** `undefined`: this engine has nowhere to put labels on such an object. */
  readonly labels: Readonly<Record<string, string>> | undefined
}

export type TruthService = {
  readonly replica: number
  readonly service: string
  /** Of the process itself: another one after every start. */
  readonly processId: string
  readonly running: boolean
  readonly startedAt: number
  /** Commands of `exec` that still run in it. */
  readonly commands: number
  /** The limits that hold, in whole units; `undefined`: none. */
  readonly limits: {
    readonly cpuMillis?: number
    readonly memoryBytes?: number
    readonly diskBytes?: number
    readonly pids?: number
    readonly gpus?: number
  }
  /** What is set aside for it, as the engine keeps it. */
  readonly requests: { readonly cpuMillis?: number; readonly memoryBytes?: number }
}

export interface Harness {
  /** Over `engine`, with records of its own in memory. */
  readonly provider: Provider
  readonly engine: Engine
  readonly installation: string
  readonly records: InstanceRecords
  readonly secrets: TestSecrets
  readonly clock: Clock
  /** Waits for work of the provider: in real time it only waits, in virtual time it also makes time pass. */
  settle<T>(work: Promise<T>): Promise<T>
  /** Another provider on the same engine: over a wrapped engine, or with records that know nothing. */
  over(engine: Engine, records?: InstanceRecords): Provider
  service(program: TestProgram): ProgramSpec
  argv(command: TestCommand): readonly string[]
  /** Below this services can be given files and folders, and may write; left out: `/contract`. */
  readonly folder?: string
  /** A folder, other than where services start anyway, that they can be started in. */
  readonly workingDir: string
  /** A user that the engine can run a service as, as `uid:gid`; left out: whoever it likes. */
  readonly user?: string
  /** A folder of the machine that services may be given, and a way to put a file there. */
  hostFolder?(): Promise<{ readonly path: string; write(name: string, text: string): Promise<void> }>
  /**
   * An image that runs this program by itself, in a registry from which the engine can pull it, and not on the engine
   * yet. The same name again moves the tag. Only where there are images.
   */
  image?(program: TestProgram, name: string): Promise<string>
  /** A port of the machine that nothing holds. */
  freePort(): Promise<number>
  /** An image nobody has. */
  readonly missingImage?: string
  /** An image that is given only to who knows these. */
  privateImage?(program: TestProgram, login: { username: string; password: string }): Promise<string>
  truth(ref: Ref): Promise<Truth>
  /** Whether an object is still there, ours or not. */
  exists(id: string): Promise<boolean>
  /** Puts something of another installation where ours would be; answers with its id. */
  foreign(ref: Ref): Promise<string>
  /** GETs an endpoint from where the control plane is; true for a 200. */
  dial(endpoint: Endpoint): Promise<boolean>
  /** Which slots what is asked of a workload as a whole reaches now, read past the engine; only where there is `traffic`. */
  trafficTo?(workload: WorkloadRef): Promise<readonly Slot[]>
  /**
   * Something written by others, with a Deployment that writes `up`, and has the text in its variable TEXT; only where
   * such sources are offered. Another text makes another version of the same objects.
   */
  readonly sources?: {
    manifests(text: string): Promise<NonNullable<NonNullable<WorkloadInput['source']>['manifests']>>
    helm(text: string): Promise<NonNullable<NonNullable<WorkloadInput['source']>['helm']>>
    /** All that is where objects of this instance would be, whosever mark it carries. */
    left(ref: Ref): Promise<readonly string[]>
  }
  /** The engine cannot be reached any more; what it runs goes on. */
  cut(): Promise<void>
  heal(): Promise<void>
  /** Ends a process in a way that nobody asked for. */
  crash(engineId: string, service: string): Promise<void>
  /** Removes a replica behind our back, as a person would. */
  vanish(engineId: string): Promise<void>
  dispose(): Promise<void>
}
