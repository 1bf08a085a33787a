/** One engine, looking like every other: what a user of the library calls. Derived from an engine by `providerFrom`. */
import type { Call, DeclaredCapability, HealthCheckSpec, InstanceState, StrategyType, WorkloadSpec } from '@gantry/core'
import type { ExecRequest, ExecSession } from './exec.ts'
import type { LogGap, LogLine, LogOptions } from './log-line.ts'
import type { Endpoint, Observed } from './observed.ts'
import type { Ref } from './ref.ts'
import type { Release } from './release.ts'
import type { Capacity, Usage } from './usage.ts'

export type Location = {
  readonly latitude?: number
  readonly longitude?: number
  readonly country?: string
  readonly city?: string
}

export type ProviderInfo = {
  /** What it was registered as. */
  readonly name: string
  readonly type: string
  readonly version: string
  readonly region?: string
  readonly location?: Location
  readonly limits: readonly string[]
}

export type ProvisionRequest = {
  readonly ref: Ref
  readonly labels?: Readonly<Record<string, string>>
  readonly spec: WorkloadSpec
}

export type Provisioned = {
  readonly release: Release
  readonly endpoints: readonly Endpoint[]
  /** Engine ids of every service of every replica, by replica index and service. */
  readonly replicas: readonly { readonly index: number; readonly engineId: string; readonly services: ServiceRefs }[]
}

export type ServiceRefs = Readonly<Record<string, string | undefined>>

/** What a deploy may change of a service. */
export type ServiceDeploy = {
  readonly name: string
  readonly image?: string
  /** Merged into what is there; `KEY-` (with any value) takes KEY away. */
  readonly env?: Readonly<Record<string, string>>
  /** `null` takes it away. */
  readonly healthCheck?: HealthCheckSpec | null
}

export type DeployRequest = {
  /** Those that change; the others stay as the running release has them. */
  readonly services: readonly ServiceDeploy[]
  /** How replicas give way, for this deploy only. */
  readonly strategy?: StrategyType
}

export type Deployed = { readonly release: Release; readonly status: InstanceStatus }

/** Left out is left alone. Quantities as in a spec. */
export type ScaleRequest = {
  readonly replicas?: number
  /** Which service the rest is about; left out: main. */
  readonly service?: string
  readonly cpu?: string
  readonly memory?: string
  readonly disk?: string
  readonly gpu?: number
}

export type ServiceStatus = {
  readonly state: InstanceState
  readonly ready: boolean | undefined
  readonly restarts: number
  /** The engine's ids of it, one per replica that has one. */
  readonly engineIds: readonly string[]
  readonly message?: string
}

export type InstanceStatus = {
  /** The worst of its services. */
  readonly state: InstanceState
  /** `undefined`: could not be told. */
  readonly ready: boolean | undefined
  readonly replicas: { readonly wanted: number | undefined; readonly there: number; readonly ready: number }
  /** Summed over all services of all replicas. */
  readonly restarts: number
  /** When what runs now was started: of the oldest service that runs. */
  readonly startedAt?: Date
  readonly message?: string
  /** The release that replicas carry; `undefined` while they differ or there are none. */
  readonly release?: string
  readonly endpoints: readonly Endpoint[]
  readonly services: Readonly<Record<string, ServiceStatus>>
  readonly notEnforced: readonly string[]
  readonly drift: readonly string[]
  /** When it was looked. */
  readonly at: Date
}

export type ProviderHealth = {
  readonly healthy: boolean
  readonly message: string
  readonly latencyMs: number
  readonly checkedAt: Date
}

export type ExecOptions = ExecRequest & {
  /** Left out: main. */
  readonly service?: string
  /** By index; left out: the first that runs. */
  readonly replica?: number
}

export interface Provider {
  readonly name: string
  /** What it can do beside its methods; `capabilitiesOf` puts both together. */
  readonly declares: ReadonlySet<DeclaredCapability>
  /** Asks the live engine. */
  info(call: Call): Promise<ProviderInfo>
  /** Makes it be there and ready. Idempotent; called again after a crash at any point, it goes on from there. */
  provision(request: ProvisionRequest, call: Call): Promise<Provisioned>
  /** Resolves when all of it is seen to be gone; absent is success. Volumes follow their retention. */
  deprovision(ref: Ref, options: { readonly retained?: 'keep' | 'delete' }, call: Call): Promise<void>
  /** Brings back as many replicas as there were before the stop. */
  start(ref: Ref, call: Call): Promise<void>
  /** Ends all processes and keeps everything else. */
  stop(ref: Ref, call: Call): Promise<void>
  /** Replaces every process, and waits until the new ones are ready. */
  restart(ref: Ref, call: Call): Promise<void>
  /** Looks. `undefined` means looked and absent; could not look is a fault of kind `unavailable`. */
  status(ref: Ref, call: Call): Promise<InstanceStatus | undefined>
  /** Makes a release of what runs with these changes, and brings the instance to it. Always takes effect. */
  deploy(ref: Ref, request: DeployRequest, call: Call): Promise<Deployed>
  /** Brings back a release of this instance whole: image, environment, config and secret versions. */
  rollback(ref: Ref, release: string, call: Call): Promise<Deployed>
  /** Replicas change in place; everything else makes a release and rolls. */
  scale(ref: Ref, request: ScaleRequest, call: Call): Promise<InstanceStatus>
  /** What is on the engine with our mark and in no record: reported, never removed by itself. */
  orphans(call: Call): Promise<readonly Observed[]>
  /** Whether the engine answers, within the deadline; never throws because it does not. */
  healthCheck(options: { readonly timeoutMs: number }, call: Call): Promise<ProviderHealth>
  /** All releases kept of an instance, oldest first. */
  releases(ref: Ref, call: Call): Promise<readonly Release[]>
  /** Real figures that move under load. */
  resources?(ref: Ref, call: Call): Promise<Usage | undefined>
  capacity?(call: Call): Promise<Capacity>
  /** All replicas and services, or one. A follower stays through replacements of replicas, and ends on abort. */
  logs?(ref: Ref, options: LogOptions, call: Call): AsyncIterable<LogLine | LogGap>
  exec?(ref: Ref, request: ExecOptions, call: Call): Promise<ExecSession>
}
