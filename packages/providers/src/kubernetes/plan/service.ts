/** Pure: the addresses in front of an instance and of a workload. */
import type { Desired } from '../../desired.ts'
import { label, ownerLabels } from '../../labels.ts'
import type { Slot } from '../../ref.ts'
import { resources } from '../api/resources.ts'
import type { Service, ServicePort, ServiceType } from '../api/types/services.ts'
import { governingName, namespaceName, portNames, workloadServiceName } from '../names.ts'
import { transport } from './container.ts'
import { type Labels, selectorOf } from './labels.ts'
import { type PlannedObject, planned } from './planned.ts'
import type { PlanSettings } from './settings.ts'
import { userLabels } from './template-inputs.ts'

type Placed = { readonly namespace: string; readonly name: string; readonly labels: Labels }

/** What outlives the pods behind it: what the edge dials. Without a port there is none, which Kubernetes would refuse. */
export function instanceService(desired: Desired, { labels, ...at }: Placed): PlannedObject<Service>[] {
  const ports = portsOf(desired)
  if (ports.length === 0) return []
  const spec = { type: 'ClusterIP', selector: selectorOf(desired), ports } as const
  return [planned<Service>(resources.service, at, { labels }, { spec })]
}

/** Gives each pod of a StatefulSet a name of its own, also before it is ready: they may have to find each other for that. */
export function governingService(desired: Desired, { labels, namespace, name }: Placed): PlannedObject<Service> {
  const ports = portsOf(desired)
  const spec = {
    type: 'ClusterIP',
    clusterIP: 'None',
    selector: selectorOf(desired),
    publishNotReadyAddresses: true,
    ...(ports.length === 0 ? {} : { ports }),
  } as const
  return planned<Service>(resources.service, { namespace, name: governingName(name) }, { labels }, { spec })
}

const types = { none: 'ClusterIP', node: 'NodePort', load_balancer: 'LoadBalancer' } as const satisfies Record<
  Desired['expose'],
  ServiceType
>

/**
 * Of the workload as a whole: how neighbours find it, and where it is exposed, since that address must outlive a change of
 * slots. Lets in the slots that are named. `undefined`: it has no port, so there is none.
 */
export function planWorkloadService(
  desired: Desired,
  settings: PlanSettings,
  slots: readonly Slot[],
): PlannedObject<Service> | undefined {
  const ports = portsOf(desired)
  if (ports.length === 0) return undefined
  const { installation, ref, expose } = desired
  const { [label.slot]: slot, ...both } = selectorOf(desired)
  const only = slots.length === 1 ? (slots[0] ?? slot) : undefined
  const selector = only === undefined ? both : { ...both, [label.slot]: only }
  const { [label.slot]: _, ...owner } = ownerLabels(installation, ref)
  const labels = { ...userLabels(desired, settings), ...owner }
  const at = {
    namespace: namespaceName(settings.namespaces, ref.tenant),
    name: workloadServiceName(settings.namespaces, ref),
  }
  return planned<Service>(resources.service, at, { labels }, { spec: { type: types[expose], selector, ports } })
}

/** At the numbers that services listen on; inits are gone before anybody asks. */
function portsOf({ services }: Pick<Desired, 'services'>): ServicePort[] {
  const lasting = services.filter(({ role }) => role !== 'init')
  const nameOf = portNames(lasting)
  return lasting.flatMap(({ name: service, ports }) =>
    ports.map((port) => ({
      name: nameOf(service, port.name),
      port: port.port,
      targetPort: port.port,
      protocol: transport(port),
    })),
  )
}
