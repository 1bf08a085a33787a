/** Pure: from what is desired to records and processes. */
import { join } from 'node:path'
import type { ServiceRole } from '@gantry/core'
import { milliUnits, parseQuantity, type Secret, wholeUnits } from '@gantry/core'
import type { Desired, DesiredService } from '../desired.ts'
import { environmentOf } from '../environment.ts'
import { engineLabel, label, labelsOf } from '../labels.ts'
import type { Ref } from '../ref.ts'
import { isBelow } from '../tended/is-below.ts'
import { type Places, processId, rootFolder, volumeFolder } from './places.ts'
import type { PortRecord, ReplicaRecord, ServiceRecord } from './records.ts'
import type { ProcessLimits, ProcessSpec } from './supervisor/process-spec.ts'
import { parseUser, type User } from './users.ts'

export type NewReplica = Pick<
  ReplicaRecord,
  'engineId' | 'index' | 'createdAt' | 'user' | 'environment' | 'volumesIn'
> & {
  /** The port that was found for a named one. */
  readonly portOf: (service: string, port: string) => number
}

export function replicaRecord(desired: Desired, { portOf, ...fresh }: NewReplica): ReplicaRecord {
  const { ref, installation, release, specHash, restart, stopGraceSeconds } = desired
  const labels = { ...labelsOf(desired, { replica: fresh.index }), [engineLabel]: fresh.engineId }
  const services = desired.services.map((service): ServiceRecord => {
    const { name, role, dependsOn, healthCheck, secrets } = service
    const ports = service.ports.map(
      ({ name: port, protocol, hostPort, bind }): PortRecord => ({
        name: port,
        protocol,
        number: hostPort > 0 ? hostPort : portOf(name, port),
        ...(hostPort > 0 ? { bind } : {}),
      }),
    )
    return { name, role, dependsOn, ports, ...(healthCheck ? { healthCheck } : {}), secret: secrets.length > 0 }
  })
  return {
    ...fresh,
    ref,
    installation,
    release,
    specHash,
    labels,
    terminating: false,
    restart,
    stopGraceSeconds,
    services,
  }
}

/** Of a replica that is on no record: as much as its processes tell, enough to be seen and removed. */
export function recordFromLabels(ref: Ref, labels: Readonly<Record<string, string>>, now: Date): ReplicaRecord {
  const service = labels[label.service] ?? ''
  const role = (labels[label.role] ?? 'main') as ServiceRole
  return {
    engineId: labels[engineLabel] ?? '',
    installation: labels[label.installation] ?? '',
    ref,
    index: Number(labels[label.replica] ?? 0),
    release: labels[label.release] ?? '',
    specHash: labels[label.specHash] ?? '',
    labels,
    createdAt: now.toISOString(),
    terminating: false,
    user: undefined,
    environment: {},
    restart: { policy: 'never', maxPerHour: 0 },
    stopGraceSeconds: 0,
    services: [{ name: service, role, dependsOn: [], ports: [], secret: true }],
  }
}

/** The same for the same replica whenever it is asked, so that a second time is known to be one. */
export function processSpec(
  places: Places,
  record: ReplicaRecord,
  desired: Desired,
  service: DesiredService,
): ProcessSpec {
  const { engineId, restart, stopGraceSeconds } = record
  const user = userOf(record, service)
  const secretEnv = secretEnvironment(service)
  const limits = limitsOf(service)
  return {
    id: processId(engineId, service.name),
    labels: {
      // Those of its beginning: a process cannot be given others, and is not replaced for them.
      ...labelsOf({ ...desired, labels: record.labels }, { replica: record.index, service }),
      [engineLabel]: engineId,
      [label.release]: record.release,
    },
    role: 'workload',
    argv: [...service.command, ...service.args],
    cwd: folderOf(places, record, service),
    env: plainEnvironment(places, record, desired, service),
    ...(Object.keys(secretEnv).length > 0 ? { secretEnv } : {}),
    ...(user ? { user } : {}),
    // An init that failed fails the replica; a new one takes its place.
    restart: service.role === 'init' ? { policy: 'never', maxPerHour: 0 } : restart,
    stopGraceMs: stopGraceSeconds * 1000,
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  }
}

/** The user that the spec names, which was checked; else the tenant's own. `undefined`: nobody but we ourselves. */
export function userOf({ user }: ReplicaRecord, service: DesiredService): User | undefined {
  return user && service.user !== undefined ? (parseUser(service.user) ?? user) : user
}

/** Paths of the machine are what they are; those inside a volume are where the volume is. */
function folderOf(places: Places, { engineId }: ReplicaRecord, { name, workingDir, volumes }: DesiredService): string {
  const root = rootFolder(places, engineId, name)
  if (workingDir === undefined) return root
  return volumes.some(({ path }) => isBelow(workingDir, path)) ? join(root, workingDir) : workingDir
}

/** What a user sets wins over what is usual, never over what only we can know. */
function plainEnvironment(
  places: Places,
  record: ReplicaRecord,
  { services, ref }: Desired,
  service: DesiredService,
): Record<string, string> {
  const { engineId, index, environment } = record
  const numbers = new Map(
    record.services.flatMap(({ name, ports }) => ports.map((port) => [`${name} ${port.name}`, port.number] as const)),
  )
  const root = rootFolder(places, engineId, service.name)
  const told = environmentOf(
    { ...service, secrets: [] },
    services,
    (name, port) => numbers.get(`${name} ${port.name}`) ?? port.port,
  )
  const volumes = service.volumes.map((volume) => {
    const folder = volumeFolder(places, record, volume)
    return [`GANTRY_VOLUME_${shout(volume.name)}`, folder] as const
  })
  return {
    ...environment,
    HOME: root,
    ...told,
    GANTRY_ROOT: root,
    ...Object.fromEntries(volumes),
    ...bindings(record, service.name),
    GANTRY_TENANT: ref.tenant,
    GANTRY_WORKLOAD: ref.workload,
    GANTRY_SERVICE: service.name,
    GANTRY_REPLICA: String(index),
  }
}

/** The process opens its ports itself, so it is told where. */
function bindings({ services }: ReplicaRecord, name: string): Record<string, string> {
  const ports = services.find((service) => service.name === name)?.ports ?? []
  return Object.fromEntries(
    ports.flatMap(({ name: port, bind }) => (bind === undefined ? [] : [[`GANTRY_BIND_${shout(port)}`, bind]])),
  )
}

function secretEnvironment({ secrets }: DesiredService): Record<string, Secret> {
  return Object.fromEntries(secrets.flatMap(({ env, value }) => (env === undefined ? [] : [[env, value]])))
}

function limitsOf({ resources: { cpu, memory, pids } }: DesiredService): ProcessLimits {
  return {
    ...(cpu === undefined ? {} : { cpuMillis: Number(milliUnits(parseQuantity(cpu))) }),
    ...(memory === undefined ? {} : { memoryBytes: Number(wholeUnits(parseQuantity(memory))) }),
    ...(pids === undefined ? {} : { pids }),
  }
}

const shout = (name: string): string => name.toUpperCase().replaceAll('-', '_')
