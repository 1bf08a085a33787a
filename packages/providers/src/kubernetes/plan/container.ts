/** Pure: one service as a container. */
import type { PortSpec } from '@gantry/core'
import type { Desired, DesiredService } from '../../desired.ts'
import type { Container, ContainerPort } from '../api/types/pods.ts'
import type { ContentPart } from './contents.ts'
import { envOf, literal } from './environment.ts'
import { probesOf } from './probes.ts'
import { resourcesOf } from './resources.ts'
import type { TemplateInputs } from './template-inputs.ts'
import { userIds } from './users.ts'
import { mountsOf } from './volumes.ts'

/** `init`: runs to its end. `row`, `gate`: a native sidecar, which the next waits for to start or to be healthy. */
export type Place = 'init' | 'row' | 'gate' | 'beside'

export type ContainerParts = {
  readonly desired: Desired
  readonly inputs: TemplateInputs
  readonly parts: readonly ContentPart[]
}

const pullPolicies = { always: 'Always', if_not_present: 'IfNotPresent', never: 'Never' } as const

export function containerOf(
  service: DesiredService,
  place: Place,
  { desired, inputs, parts }: ContainerParts,
): Container {
  const { name, image, pinnedImage, imagePullPolicy, command, args, workingDir, user, ports } = service
  const env = envOf(service, desired.services, parts)
  const mounts = mountsOf(service, parts)
  const resources = resourcesOf(service)
  const ids = user === undefined ? undefined : userIds(user)
  return {
    name,
    image: pinnedImage ?? image ?? '',
    imagePullPolicy: pullPolicies[imagePullPolicy],
    ...(command.length === 0 ? {} : { command: command.map(literal) }),
    ...(args.length === 0 ? {} : { args: args.map(literal) }),
    ...(workingDir === undefined ? {} : { workingDir }),
    ...(env.length === 0 ? {} : { env }),
    ...(ports.length === 0 ? {} : { ports: ports.map(portOf) }),
    ...(resources === undefined ? {} : { resources }),
    ...(ids === undefined
      ? {}
      : { securityContext: { runAsUser: ids.uid, ...(ids.gid === undefined ? {} : { runAsGroup: ids.gid }) } }),
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
    ...(place === 'init' ? {} : probesOf(service, place)),
    ...(place !== 'init' && drains(service, inputs) ? { lifecycle: sleep(inputs.drainSeconds) } : {}),
    ...(place === 'row' || place === 'gate' ? { restartPolicy: 'Always' } : {}),
  }
}

/** Whoever is asked for something goes on answering until nobody is sent to it any more. */
export const drains = (
  { ports, role }: Pick<DesiredService, 'ports' | 'role'>,
  { drainSeconds }: Pick<TemplateInputs, 'drainSeconds'>,
): boolean => role !== 'init' && ports.length > 0 && drainSeconds > 0

const sleep = (seconds: number) => ({ preStop: { sleep: { seconds } } })

export const transport = ({ protocol }: Pick<PortSpec, 'protocol'>): 'TCP' | 'UDP' =>
  protocol === 'udp' ? 'UDP' : 'TCP'

/** Without a name: two services of a pod may call theirs the same. */
const portOf = (port: PortSpec): ContainerPort => ({
  containerPort: port.port,
  protocol: transport(port),
  ...(port.hostPort === 0 ? {} : { hostPort: port.hostPort, hostIP: port.bind }),
})
