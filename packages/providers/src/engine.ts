/**
 * What an engine must be able to do to be a provider: the small part that differs. Everything a user can ask for is
 * derived from it once, in `providerFrom(engine)`.
 *
 * For every method: it stops on `call.signal` and rethrows the caller's reason; an engine that cannot be reached is a
 * fault of kind `unavailable`, never an empty answer; what carries another installation's mark is never touched.
 */
import type { Call, DeclaredCapability, Issue } from '@gantry/core'
import type { Connection } from './connection.ts'
import type { Desired, WantedImage } from './desired.ts'
import type { EngineStep } from './engine-step.ts'
import type { ExecRequest, ExecSession } from './exec.ts'
import type { EngineLog, LogFrom } from './log-line.ts'
import type { Observation, Observed } from './observed.ts'
import type { Pass } from './pass.ts'
import type { Ref, TrafficWeights, WorkloadRef } from './ref.ts'
import type { Capacity, Usage } from './usage.ts'

export type EngineInfo = {
  /** Read from the engine that runs, now. */
  readonly version: string
  /** What else it says of itself, by name: API version, storage driver … Left out: nothing. */
  readonly facts?: Readonly<Record<string, string>>
  /** What is limited here and why, in sentences (rootless, no cgroups …). */
  readonly limits: readonly string[]
}

export type RemoveOptions = {
  /**
   * Volumes with `retain: true` stay for the next workload of this name in this tenant and installation, unless the user said
   * that they shall go too: then all that this name has left, but for what another one that is still here has.
   */
  readonly retained: 'keep' | 'delete'
}

export interface Engine {
  /** What kind of engine this is: `local`, `docker` … Several of one type live side by side. */
  readonly type: string

  /** What it can do beyond the methods that are here. Each one has cases in the contract. */
  readonly declares: ReadonlySet<DeclaredCapability>

  /** Asks the engine who it is. */
  info(call: Call): Promise<EngineInfo>

  /** Pure: every path of the spec that this engine cannot honour, all at once. Nothing is dropped in silence. */
  check(desired: Desired): readonly Issue[]

  /** Pure: what `converge` (or, with nothing desired, `remove`) would do from here, in words and engine objects. */
  plan(desired: Desired | undefined, observed: Observed | undefined): readonly EngineStep[]

  /**
   * One idempotent pass towards `desired`; `done` means seen to be so and ready for `minReadySeconds`. Never waits for
   * something to happen: it yields. A pass after a crash at any point adopts what it finds of its own and goes on. Volumes
   * that an earlier workload of this name left are its own; while one still runs with them, it waits.
   */
  converge(desired: Desired, call: Call): Promise<Pass>

  /** One pass towards nothing being there; `done` means looked and gone. What was never there is done. */
  remove(ref: Ref, options: RemoveOptions, call: Call): Promise<Pass>

  /** Looks at one instance now. `undefined` means looked and absent. */
  look(ref: Ref, call: Call): Promise<Observed | undefined>

  /**
   * Subscribes, then lists: the first word is a snapshot of all that is ours, then changes as they happen. When the
   * engine is lost it says `blind` once, and after any gap comes a new snapshot. Ends only by the signal.
   */
  observe(call: Call): AsyncIterable<Observation>

  /** Lines of one service of one replica, in order, each once; `gap` where the engine discarded some. */
  logs?(engineId: string, service: string, from: LogFrom, call: Call): AsyncIterable<EngineLog>

  /** Starts a command inside a running service. An abort closes stdin and tty, and kills where the engine can. */
  exec?(engineId: string, service: string, request: ExecRequest, call: Call): Promise<ExecSession>

  /**
   * A plain connection, both ways, to a port of a running service, by the number that it listens on: for endpoints that are
   * reached by a tunnel. Throws `service_not_running` where nobody listens, if that is told before it is used.
   */
  connect?(engineId: string, service: string, port: number, call: Call): Promise<Connection>

  /** What an instance uses now; `undefined` when nothing of it runs. */
  usage?(ref: Ref, call: Call): Promise<Usage | undefined>

  /** What the engine has room for. */
  capacity?(call: Call): Promise<Capacity>

  /**
   * What an image means now: a reference that will always mean the same content, for a release to keep. `undefined` where
   * that cannot be told; whether the image can be had at all is for a pass to find out.
   */
  resolveImage?(wanted: WantedImage, call: Call): Promise<string | undefined>

  /**
   * For engines where a workload has an address of its own that no edge stands before: one pass towards requests going by
   * these weights there; `done` means seen to be so. A slot with 0 gets nothing new. Between two slots that both get some, an
   * engine may share by the number of replicas, and says so among its limits. It yields while a slot that gets some is not
   * there. Without a port there is nothing to share: done. What was set stays until it is set anew, over any `converge`;
   * before it was ever set, the slot that came first has all. A slot that is removed leaves all to the other.
   */
  traffic?(workload: WorkloadRef, weights: TrafficWeights, call: Call): Promise<Pass>

  /** For engines that only create and remove: what the shared replica set drives. */
  readonly replicas?: ReplicaHands
}

/** Single replicas, each step idempotent. Order, surge and readiness are the replica set's business. */
export interface ReplicaHands {
  /** `done` means it is there with this spec hash; whether it is ready is for `look` to say. */
  create(desired: Desired, index: number, call: Call): Promise<Pass>
  /** Asks its services to end, sidecars last, and kills what is left after the grace; `done` means none runs. */
  stop(engineId: string, graceMs: number, call: Call): Promise<Pass>
  /** By engine id, never by name; `done` means gone. */
  remove(engineId: string, call: Call): Promise<Pass>
}
