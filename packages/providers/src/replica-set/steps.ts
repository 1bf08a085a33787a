/** Pure: what passes would do from here, in words. */
import type { Desired } from '../desired.ts'
import type { EngineStep } from '../engine-step.ts'
import type { Observed } from '../observed.ts'
import { replicaCount, wantedCount } from './view.ts'

export function replicaSteps(desired: Desired | undefined, observed: Observed | undefined): EngineStep[] {
  const there = (observed?.replicas ?? []).filter(({ terminating }) => !terminating)
  const want = desired ? wantedCount(desired) : 0
  const order = [...there].sort((left, right) => left.index - right.index)
  const leaving = order.slice(want).map(({ index, engineId }): EngineStep => {
    const why = desired ? `${replicaCount(want)} wanted` : 'the instance is to be removed'
    return { verb: 'remove', object: `replica ${index}`, engineId, why }
  })
  if (!desired) return leaving
  const replaced = order.slice(0, want).flatMap(({ index, engineId, specHash }): EngineStep[] => {
    if (specHash === desired.specHash) return []
    return [{ verb: 'replace', object: `replica ${index}`, engineId, why: `release ${desired.release}` }]
  })
  const missing = Array.from({ length: Math.max(0, want - order.length) }, (_, at): EngineStep => {
    return { verb: 'create', object: `replica ${order.length + at}`, why: `${replicaCount(want)} wanted` }
  })
  return [...missing, ...replaced, ...leaving]
}
