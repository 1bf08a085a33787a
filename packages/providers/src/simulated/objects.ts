/** What exists in a simulated world. Plain data: who changes it is in `world.ts` and `process.ts`. */
import type { TestProgram } from '../contract/program.ts'
import type { Desired, DesiredService } from '../desired.ts'
import type { Replica, ServicePhase, Stall } from '../observed.ts'
import type { Ref } from '../ref.ts'
import type { LogBuffer } from './log-buffer.ts'

export type Labels = Readonly<Record<string, string>>

export type SimInstance = {
  /** Derived from uid and slot, like the names on a real engine: two installations can want the same one. */
  readonly name: string
  readonly id: string
  readonly ref: Ref
  readonly installation: string
  labels: Labels
  /** What the last pass asked for. */
  desired: Desired | undefined
  readonly replicas: Map<string, SimReplica>
  stalled: Stall | undefined
}

export type SimReplica = {
  readonly id: string
  readonly index: number
  readonly instance: SimInstance
  /** As it was made; a replica never changes. */
  readonly desired: Desired
  readonly services: Map<string, SimProcess>
  terminating: boolean
  /** Asked to end, and through: what it wrote is here until it is removed. */
  ended: boolean
  failed: Replica['failed'] | undefined
  readySince: number | undefined
}

export type SimProcess = {
  readonly id: string
  readonly spec: DesiredService
  program: TestProgram
  phase: ServicePhase
  ready: boolean
  startedAt: number | undefined
  restarts: number
  exitCode: number | undefined
  message: string | undefined
  /** Times of the last restarts, for `maxPerHour`. */
  crashes: readonly number[]
  /** Takes back every timer this process has. */
  cancels: (() => void)[]
  /** Made with the first line. */
  log: LogBuffer | undefined
  /** What it wrote outside its volumes; made with the first file. */
  files: Map<string, string> | undefined
  /** Commands that run in it now, each as what ends it. */
  readonly commands: Set<() => void>
}

export type SimVolume = {
  readonly id: string
  readonly installation: string
  /** The last one that had it. */
  ref: Ref
  readonly name: string
  readonly index: number
  retain: boolean
  labels: Labels
  readonly files: Map<string, string>
}
