/**
 * Pure: the spec of an Instance. The rollout chooses what its replicas are made of and how they give way; everything else
 * follows the workload at any time. Both writers come through here, so they cannot disagree about who says what.
 */
import {
  type InstanceSlot,
  type InstanceSpec,
  instanceFinalizer,
  instanceName,
  type ObjectOf,
  type WorkloadType,
} from '@gantry/core'
import type { InPlaceUpdate } from '@gantry/providers'
import type { Command } from '@gantry/store'
import { madeFor } from '../controllers/workload/made-for.ts'

/** What only a rollout changes. */
export type InstanceChoice = {
  readonly slot: InstanceSlot
  readonly provider: string
  readonly type: WorkloadType
  readonly release: number
  readonly restartStamp?: string | undefined
  readonly update: InPlaceUpdate
  readonly paused: boolean
}

type Workload = ObjectOf<'Workload'>

export function instanceSpec({ metadata, spec }: Workload, choice: InstanceChoice): InstanceSpec {
  const { replicas, run, restart, stopGraceSeconds, expose, engine } = spec
  const { slot, provider, type, release, restartStamp, update, paused } = choice
  return {
    workload: metadata.name,
    uid: metadata.uid,
    slot,
    provider,
    release,
    replicas,
    run,
    ...(restartStamp === undefined ? {} : { restartStamp }),
    paused,
    type,
    restart,
    update,
    stopGraceSeconds,
    expose,
    engine,
    labels: metadata.labels,
  }
}

/** The same instance, with everything that follows the workload as the workload has it now. */
export function inPlaceSpec(workload: Workload, { spec }: ObjectOf<'Instance'>): InstanceSpec {
  return instanceSpec(workload, spec)
}

/** Makes the instance or changes it, over exactly what was read. */
export function putInstance(workload: Workload, before: ObjectOf<'Instance'> | undefined, spec: InstanceSpec): Command {
  const key = { kind: 'Instance', tenant: workload.metadata.tenant ?? '', name: instanceName(spec.workload, spec.slot) }
  const draft = { key, spec, ...madeFor(workload) }
  return before
    ? { op: 'replace', draft, ifGeneration: before.metadata.generation, ifAbsent: 'refuse' }
    : { op: 'create', draft: { ...draft, finalizers: [instanceFinalizer] } }
}
