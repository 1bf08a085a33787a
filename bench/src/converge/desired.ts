/** What each object of the test kind asks the engine for: one replica of one service that is ready as soon as it runs. */
import { completeWorkload, type GantryObject, workloadFields } from '@gantry/core'
import { type Desired, type DesiredService, inPlaceUpdate } from '@gantry/providers'

const spec = completeWorkload(
  workloadFields.parse({
    services: [{ name: 'main', image: 'probe:1' }],
    strategy: { type: 'recreate', minReadySeconds: 0 },
  }),
)
const services = spec.services.map(
  ({ imagePullSecret: _, ...service }): DesiredService => ({ ...service, secrets: [] }),
)
const update = inPlaceUpdate(spec.strategy, spec.type)

export function desiredFor({ metadata: { tenant = '', name, uid } }: GantryObject, installation: string): Desired {
  const { type, run, replicas, restart, stopGraceSeconds, expose, engine } = spec
  const instance = { ref: { tenant, workload: name, uid, slot: 'a' as const }, installation, labels: {} }
  const release = { release: 'v1', specHash: 'v1', services, restart, update, stopGraceSeconds, expose, engine }
  return { ...instance, type, run, replicas, ...release }
}
