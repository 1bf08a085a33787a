/** From what is seen on engines to keys that are looked at: what is told costs a look, and losing it costs only time. */
import { instanceName, type ObjectKey } from '@gantry/core'
import type { Ref } from '@gantry/providers'
import type { Controller } from '@gantry/reconcile'
import type { EngineHub } from '../engines/engine-hub.ts'

/** Returns what ends it. */
export function wakeInstances(hub: EngineHub, instances: Pick<Controller, 'add' | 'knows'>): () => void {
  const wake = (ref: Ref): void => {
    const key = keyOf(ref)
    // What belongs to nothing is not an instance that somebody works on; orphans are looked for elsewhere.
    if (instances.knows(key)) instances.add(key)
  }
  return hub.subscribe((provider, seen) => {
    switch (seen.type) {
      case 'changed':
        wake(seen.instance.ref)
        break
      case 'gone':
        wake(seen.ref)
        break
      case 'snapshot':
        for (const { ref } of seen.instances) wake(ref)
        break
      case 'blind':
        for (const { ref } of hub.all(provider)) wake(ref)
        break
      default:
        seen satisfies never
    }
  })
}

/** An engine that is lost, or seen again, is asked at once how it is: its Provider does not say otherwise meanwhile. */
export function wakeProviders(hub: EngineHub, providers: Pick<Controller, 'add' | 'knows'>): () => void {
  const seeing = new Set<string>()
  return hub.subscribe((name, { type }) => {
    if (type !== 'snapshot' && type !== 'blind') return
    // Only when it turns: one that stays lost is told of with every try, and each look would bring the next.
    if (seeing.has(name) === (type === 'snapshot')) return
    if (type === 'snapshot') seeing.add(name)
    else seeing.delete(name)
    const key = { kind: 'Provider', name }
    if (providers.knows(key)) providers.add(key)
  })
}

const keyOf = ({ tenant, workload, slot }: Ref): ObjectKey => ({
  kind: 'Instance',
  tenant,
  name: instanceName(workload, slot),
})
