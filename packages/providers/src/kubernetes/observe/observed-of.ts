/** Pure: from objects of the cluster to what is observed. */
import type { Observed, Replica } from '../../observed.ts'
import { podEndpoints, stableEndpoints } from './endpoints.ts'
import { type InstanceFacts, type PodFacts, servicesOf } from './facts.ts'
import { serviceObserved } from './service-observed.ts'
import { failedOf, stallOf } from './stalls.ts'

export function observedOf(facts: InstanceFacts): Observed {
  const { ref, workload, drift, now } = facts
  const order = [...facts.pods].sort((left, right) => left.index - right.index)
  const stalled = stallOf(facts)
  return {
    ref,
    replicas: order.map((each) => replicaOf(each, facts)),
    endpoints: stableEndpoints(facts),
    ...(stalled ? { stalled } : {}),
    drift,
    notEnforced: workload?.seen.wishes.notEnforced ?? [],
    at: new Date(now),
  }
}

export function replicaOf(facts: PodFacts, { via }: Pick<InstanceFacts, 'via'>): Replica {
  const { pod, index, nodeLost } = facts
  const ready = pod.deleting ? false : nodeLost ? undefined : pod.ready
  const failed = failedOf(facts)
  return {
    engineId: engineIdOf(pod),
    index,
    release: pod.release,
    specHash: pod.specHash,
    ready,
    ...(ready && pod.readyAt !== undefined ? { readySince: new Date(pod.readyAt) } : {}),
    terminating: pod.deleting,
    ...(failed === undefined ? {} : { failed }),
    services: Object.fromEntries(servicesOf(pod).map((each) => [each.record.name, serviceObserved(each, facts)])),
    endpoints: podEndpoints(pod, { via }),
  }
}

/** A pod of a StatefulSet has the name of the one before it: only the uid tells them apart. */
export const engineIdOf = ({ namespace, name, uid }: PodFacts['pod']): string => `${namespace}/${name}/${uid}`

export function podOfEngineId(engineId: string): { namespace: string; name: string; uid: string } | undefined {
  const [namespace, name, uid, ...more] = engineId.split('/')
  return namespace && name && uid && more.length === 0 ? { namespace, name, uid } : undefined
}
