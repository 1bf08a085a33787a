/** Pure but for the hub it reads: the freshest that is known of each instance. */
import type { EngineHub } from '../engines/engine-hub.ts'
import type { RoutedSlot } from './routed-objects.ts'
import type { RoutedInstance } from './wishes.ts'

/** From memory where somebody can look; else how it was before, because unknown never leaves rotation. */
export function seenInstance(hub: Pick<EngineHub, 'sight'>, { metadata, spec, status }: RoutedSlot): RoutedInstance {
  const tenant = metadata.tenant ?? ''
  const { workload, uid, slot } = spec
  const sight = hub.sight(spec.provider, { tenant, workload, uid, slot })
  const observed = sight.state === 'seen' ? sight.observed : sight.last
  const known = observed ?? (sight.state === 'seen' ? { replicas: [], endpoints: [] } : status)
  const replicas = (known.replicas ?? []).map(({ engineId, ready, terminating, endpoints }) => ({
    engineId,
    // What cannot be looked at now is as it was only as far as it was well.
    ready: sight.state === 'blind' && ready !== true ? undefined : ready,
    terminating,
    endpoints: endpoints.map((endpoint) => ({ ...endpoint })),
  }))
  return { tenant, uid, slot, replicas, endpoints: (known.endpoints ?? []).map((endpoint) => ({ ...endpoint })) }
}
