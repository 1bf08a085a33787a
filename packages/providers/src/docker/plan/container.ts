/** Pure: from what is desired to the containers of a replica. */
import type { Desired, DesiredService } from '../../desired.ts'
import { environmentOf } from '../../environment.ts'
import { engineLabel, label, labelsOf } from '../../labels.ts'
import type { CreateContainer, HostConfig, PortBinding } from '../api/types/containers.ts'
import type { PlannedFile } from '../files/plan.ts'
import { fileMounts, filesMount } from '../files/volume.ts'
import { aliasesOf, containerName, holderService } from '../names.ts'
import { bytesOf, type LimitName, limitsOf } from './limits.ts'
import { holderRole, type ReplicaRecord, recordLabel, writeRecord } from './record.ts'
import { restartPolicy } from './restart.ts'
import { heldMounts, volumeMounts } from './volumes.ts'
import { warningLabel } from './warnings.ts'

/** All that the containers of one replica are made of beyond what is desired. */
export type Placement = {
  readonly record: ReplicaRecord
  /** The tenant's. */
  readonly network: string
  readonly enforces: ReadonlySet<LimitName>
  readonly files: readonly PlannedFile[]
  readonly filesVolume: { readonly Name: string; readonly Mountpoint: string } | undefined
}

/** Enough to look back, and not so much that a talkative service fills the disk. */
const logs = { Type: 'json-file', Config: { 'max-size': '64m', 'max-file': '2' } } as const

/** It waits, and does nothing else: what it may take is next to nothing, and so is what it may do. */
const holderLimits = { Memory: 16 * 1024 * 1024, PidsLimit: 16 } as const
const holderRights = { CapDrop: ['ALL'], ReadonlyRootfs: true, SecurityOpt: ['no-new-privileges'] } as const

export function serviceContainer(
  desired: Desired,
  service: DesiredService,
  image: string,
  placement: Placement,
  warning?: string,
): CreateContainer {
  const { record, enforces, files, filesVolume } = placement
  const { command, args, user, workingDir, resources } = service
  const env = environmentOf(service, desired.services)
  const mounts = [
    ...volumeMounts(desired, service, record),
    ...(filesVolume ? fileMounts(files, service.name, filesVolume) : []),
  ]
  const isDiskHeld = resources.disk !== undefined && enforces.has('disk')
  return {
    Image: image,
    ...(command.length > 0 ? { Entrypoint: command } : {}),
    ...(args.length > 0 ? { Cmd: args } : {}),
    ...(user === undefined ? {} : { User: user }),
    ...(workingDir === undefined ? {} : { WorkingDir: workingDir }),
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Labels: { ...labelsFor(desired, record, service), ...(warning === undefined ? {} : { [warningLabel]: warning }) },
    // We look after its health ourselves; the image's own check would only cost.
    Healthcheck: { Test: ['NONE'] },
    StopTimeout: desired.stopGraceSeconds,
    ...(record.group ? {} : identity(desired, placement)),
    HostConfig: {
      ...(record.group ? { NetworkMode: `container:${holderName(record)}` } : network(desired, placement)),
      ...limitsOf(service, enforces),
      ...(isDiskHeld ? { StorageOpt: { size: String(bytesOf(resources.disk ?? '0')) } } : {}),
      ...(resources.gpu.count > 0 ? { DeviceRequests: [gpus(resources.gpu.count)] } : {}),
      ...(mounts.length > 0 ? { Mounts: mounts } : {}),
      RestartPolicy: restartPolicy(desired.restart, service.role, 0),
      LogConfig: logs,
    },
  }
}

/** Has the network of the group, and what lies in memory. */
export function holderContainer(desired: Desired, image: string, placement: Placement): CreateContainer {
  const { record, filesVolume } = placement
  const mounts = [...(filesVolume ? [filesMount(filesVolume.Name)] : []), ...heldMounts(desired, record)]
  return {
    Image: image,
    Labels: labelsFor(desired, record),
    StopTimeout: 1,
    ...identity(desired, placement),
    HostConfig: {
      ...network(desired, placement),
      ...(mounts.length > 0 ? { Mounts: mounts } : {}),
      ...holderRights,
      ...(placement.enforces.has('memory') ? { Memory: holderLimits.Memory } : {}),
      ...(placement.enforces.has('pids') ? { PidsLimit: holderLimits.PidsLimit } : {}),
      RestartPolicy: { Name: 'unless-stopped' },
      LogConfig: logs,
    },
  }
}

export const holderName = ({ ref, index }: Pick<ReplicaRecord, 'ref' | 'index'>): string =>
  containerName(ref, index, holderService)

export const serviceName = ({ ref, index }: Pick<ReplicaRecord, 'ref' | 'index'>, service: string): string =>
  containerName(ref, index, service)

function labelsFor(desired: Desired, record: ReplicaRecord, service?: DesiredService): Record<string, string> {
  return {
    ...labelsOf(desired, { replica: record.index, ...(service ? { service } : {}) }),
    ...(service ? {} : { [label.role]: holderRole }),
    [label.release]: record.release,
    [engineLabel]: record.engineId,
    [recordLabel]: writeRecord(record),
  }
}

/** Of who has the network. */
function identity(
  { ref }: Desired,
  { record, network: name }: Placement,
): Pick<CreateContainer, 'Hostname' | 'NetworkingConfig' | 'ExposedPorts'> {
  const bindings = Object.keys(portBindings(record))
  return {
    Hostname: `${ref.workload}-${record.index}`,
    NetworkingConfig: { EndpointsConfig: { [name]: { Aliases: aliasesOf(ref, record.index) } } },
    ...(bindings.length > 0 ? { ExposedPorts: Object.fromEntries(bindings.map((port) => [port, {}])) } : {}),
  }
}

/** Siblings find each other by name in the hosts file that the group shares: a name on the network would find any replica's. */
function network({ services }: Desired, { record, network: NetworkMode }: Placement): HostConfig {
  const PortBindings = portBindings(record)
  return {
    NetworkMode,
    ExtraHosts: services.map(({ name }) => `${name}:127.0.0.1`),
    ...(Object.keys(PortBindings).length > 0 ? { PortBindings } : {}),
  }
}

function portBindings({ services }: ReplicaRecord): Record<string, PortBinding[]> {
  const bound: Record<string, PortBinding[]> = {}
  for (const { port, protocol, hostPort, bind } of services.flatMap(({ ports }) => ports)) {
    if (hostPort === 0) continue
    const key = `${port}/${protocol === 'udp' ? 'udp' : 'tcp'}`
    bound[key] = [...(bound[key] ?? []), { HostIp: bind, HostPort: String(hostPort) }]
  }
  return bound
}

const gpus = (Count: number) => ({ Driver: 'nvidia', Count, Capabilities: [['gpu']] })
