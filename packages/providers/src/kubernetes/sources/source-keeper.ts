/**
 * Whoever looks after the workloads of one kind of source: manifests or charts, all in one shape. What is said of errors and
 * signals in `engine.ts` and `api/api.ts` holds here too. The namespace of the tenant is made and removed by the engine around
 * this: it must be there before `converge`.
 */
import type { Call, Issue } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import type { EngineStep } from '../../engine-step.ts'
import type { Observation, Observed } from '../../observed.ts'
import type { Pass } from '../../pass.ts'
import type { Ref } from '../../ref.ts'
import type { DesiredSource } from '../../source.ts'
import type { ContainerAt } from '../api/api.ts'

export type SourceType = DesiredSource['type']

export type DesiredFrom<T extends SourceType> = Desired & { readonly source: Extract<DesiredSource, { type: T }> }

export interface SourceKeeper<Wanted extends Desired> {
  /**
   * Pure: all that is wrong with the source, as far as it can be told without the cluster and the chart: of manifests by document
   * and object, of a chart its names, paths, and values that are no YAML.
   */
  check(desired: Wanted): readonly Issue[]

  /** Pure: what `converge` (or, with nothing desired, `remove`) would do. */
  plan(desired: Wanted | undefined, observed: Observed | undefined): readonly EngineStep[]

  /** One idempotent pass; `done` means that all of it is there as it is desired, and ready. */
  converge(desired: Wanted, call: Call): Promise<Pass>

  /** One pass towards nothing being there; `done` means that all of it was looked for and is gone. What was never there is done. */
  remove(ref: Ref, call: Call): Promise<Pass>

  /** `undefined`: looked, and there is nothing of this instance. */
  look(ref: Ref, call: Call): Promise<Observed | undefined>

  /** As `Engine.observe`, for this kind of source only: the engine's snapshot is this one's instances and its own. */
  observe(call: Call): AsyncIterable<Observation>

  /**
   * The containers behind an object (`deployment/web`), youngest pod first, for logs and exec; empty where none runs.
   * `engineId` is that of the one replica of an instance. Throws `replica_not_found`, `service_not_found`.
   */
  containersOf(engineId: string, service: string, call: Call): Promise<readonly SetContainer[]>

  /** Whether an engine id is that of an instance of this kind: `logs` and `exec` are asked by id alone. */
  owns(engineId: string): boolean

  /** Whether this installation has such an instance in that namespace, by looking: then the namespace is still needed. */
  hasAny(namespace: string, call: Call): Promise<boolean>

  /** Ends the watches; what is on the cluster stays. */
  close(): Promise<void>
}

export type SetContainer = ContainerAt & {
  readonly podUid: string
  readonly running: boolean
  /** Its pod is ready, and not on its way out. */
  readonly serving: boolean
  readonly role: 'main' | 'sidecar' | 'init'
}
