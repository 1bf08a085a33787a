/** Pure: what every pod of an instance is made of. Says the same for the same spec hash and inputs, letter by letter. */
import type { Desired, DesiredService } from '../../desired.ts'
import { ownPrefix } from '../../labels.ts'
import type { PodSpec, PodTemplate, Toleration } from '../api/types/pods.ts'
import { pullSecretName } from '../names.ts'
import { annotation, type ServiceRecord } from '../observe/record.ts'
import { type ContainerParts, containerOf, drains } from './container.ts'
import type { ContentPart } from './contents.ts'
import { templateLabels } from './labels.ts'
import { inPodOrder, type PodOrder, podOrder } from './order.ts'
import type { TemplateInputs } from './template-inputs.ts'
import { filesGroup } from './users.ts'
import { volumesOf } from './volumes.ts'

/** Which container `kubectl logs` and `kubectl exec` mean when nobody says which. */
const defaultContainer = 'kubectl.kubernetes.io/default-container'

export function podTemplate(
  desired: Desired,
  instance: string,
  inputs: TemplateInputs,
  parts: readonly ContentPart[],
): PodTemplate {
  const order = podOrder(desired.services)
  const metadata = { labels: templateLabels(desired, inputs), annotations: annotationsOf(desired, order) }
  return { metadata, spec: podSpec(desired, instance, order, { desired, inputs, parts }) }
}

function podSpec(
  { services, engine }: Desired,
  instance: string,
  { inits, sidecars, containers, healthyFirst }: PodOrder<DesiredService>,
  all: ContainerParts,
): PodSpec {
  const { inputs, parts } = all
  const first = [
    ...inits.map((service) => containerOf(service, 'init', all)),
    ...sidecars.map((service) => containerOf(service, healthyFirst.has(service.name) ? 'gate' : 'row', all)),
  ]
  const volumes = volumesOf({ services }, parts)
  const group = filesGroup({ services }, parts)
  const accounts = [
    ...inputs.imagePullSecrets,
    ...services.flatMap(({ name, imagePullSecret }) => (imagePullSecret ? [pullSecretName(instance, name)] : [])),
  ]
  const drain = services.some((service) => drains(service, inputs)) ? inputs.drainSeconds : 0
  const { serviceAccount, nodeSelector = {}, tolerations = [] } = engine.kubernetes ?? {}
  return {
    ...(first.length === 0 ? {} : { initContainers: first }),
    containers: containers.map((service) => containerOf(service, 'beside', all)),
    ...(volumes.length === 0 ? {} : { volumes }),
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: inputs.stopGraceSeconds + drain,
    // Siblings find each other by name; a name of the cluster would find those of any replica.
    hostAliases: [{ ip: '127.0.0.1', hostnames: services.map(({ name }) => name) }],
    // Other Services of the tenant are nobody's environment.
    enableServiceLinks: false,
    automountServiceAccountToken: serviceAccount !== undefined,
    ...(serviceAccount === undefined ? {} : { serviceAccountName: serviceAccount }),
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(tolerations.length === 0 ? {} : { tolerations: tolerations.map(tolerationOf) }),
    ...(accounts.length === 0 ? {} : { imagePullSecrets: accounts.map((name) => ({ name })) }),
    ...(group === undefined ? {} : { securityContext: { fsGroup: group, fsGroupChangePolicy: 'OnRootMismatch' } }),
  }
}

type TolerationWish = NonNullable<NonNullable<Desired['engine']['kubernetes']>['tolerations']>[number]

const tolerationOf = ({ key, operator, value, effect, tolerationSeconds }: TolerationWish): Toleration => ({
  ...(key === undefined ? {} : { key }),
  operator,
  ...(value === undefined ? {} : { value }),
  ...(effect === undefined ? {} : { effect }),
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
})

/** The user's for all services together, and ours over them. */
function annotationsOf({ services }: Desired, order: PodOrder<DesiredService>): Record<string, string> {
  const users = services.flatMap(({ annotations }) => Object.entries(annotations))
  const main = services.find(({ role }) => role === 'main')
  return {
    ...(main ? { [defaultContainer]: main.name } : {}),
    ...Object.fromEntries(users.filter(([key]) => !key.startsWith(ownPrefix))),
    [annotation.services]: JSON.stringify(inPodOrder(order).map(recordOf)),
  }
}

const isWildcard = (address: string): boolean => address === '0.0.0.0' || address === '::'

const recordOf = ({ name, role, healthCheck, ports }: DesiredService): ServiceRecord => ({
  name,
  role,
  check: healthCheck !== undefined,
  ports: ports.map(({ name: port, port: number, protocol, hostPort, bind }) => ({
    name: port,
    port: number,
    protocol,
    ...(hostPort === 0 ? {} : { hostPort, ...(isWildcard(bind) ? {} : { bind }) }),
  })),
})
