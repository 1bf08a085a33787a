/**
 * Pure: the part of an Instance that follows from its workload at any time. The rollout controller makes instances with
 * it and the workload controller keeps them so, and therefore they cannot disagree.
 */
import type { InstanceSpec, ObjectOf } from '@gantry/core'

export type InPlaceFields = Pick<
  InstanceSpec,
  'replicas' | 'run' | 'restart' | 'stopGraceSeconds' | 'expose' | 'engine' | 'labels'
>

export function inPlaceFields({ metadata, spec }: ObjectOf<'Workload'>): InPlaceFields {
  const { replicas, run, restart, stopGraceSeconds, expose, engine } = spec
  return { replicas, run, restart, stopGraceSeconds, expose, engine, labels: { ...metadata.labels } }
}
