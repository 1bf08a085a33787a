/** Pure: what a pass would do, in words. */
import type { Desired } from '../desired.ts'
import type { EngineStep } from '../engine-step.ts'
import type { Observed } from '../observed.ts'
import type { SimInstance } from './objects.ts'
import type { ReplicaView } from './plan.ts'

export function viewOf({ replicas }: SimInstance): ReplicaView[] {
  return [...replicas.values()].map(({ id, index, desired, terminating, failed, readySince }) => ({
    id,
    index,
    specHash: desired.specHash,
    terminating,
    failed,
    readySince,
  }))
}

export function stepsFor(desired: Desired | undefined, observed: Observed | undefined): EngineStep[] {
  const there = (observed?.replicas ?? []).filter(({ terminating }) => !terminating)
  const want = !desired || desired.run === 'stopped' ? 0 : desired.replicas
  const order = [...there].sort((left, right) => left.index - right.index)
  const leaving = order.slice(want).map(({ index, engineId }): EngineStep => {
    const why = desired ? `${want} replicas are wanted` : 'the instance is to be removed'
    return { verb: 'remove', object: `replica ${index}`, engineId, why }
  })
  if (!desired) return leaving
  const replaced = order.slice(0, want).flatMap(({ index, engineId, specHash }): EngineStep[] => {
    if (specHash === desired.specHash) return []
    return [{ verb: 'replace', object: `replica ${index}`, engineId, why: `release ${desired.release}` }]
  })
  const missing = Array.from({ length: Math.max(0, want - order.length) }, (_, at): EngineStep => {
    return { verb: 'create', object: `replica ${order.length + at}`, why: `${want} replicas are wanted` }
  })
  return [...missing, ...replaced, ...leaving]
}
