/** Pure: what a replica is, as its containers carry it. A server that comes later knows it from there and from nowhere else. */
import type { HealthCheckSpec, PortSpec, ServiceDependency, ServiceRole, VolumeType } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { engineLabel, label, refFromLabels } from '../../labels.ts'
import type { Ref } from '../../ref.ts'
import { planFiles } from '../files/plan.ts'

/** On every container: the record of its whole replica. */
export const recordLabel = 'gantry.dev/record'
/** The role of the container that holds the network of a group. */
export const holderRole = 'holder'

export type ServiceRecord = {
  readonly name: string
  readonly role: ServiceRole
  readonly dependsOn: ServiceDependency[]
  readonly ports: readonly PortSpec[]
  readonly healthCheck?: HealthCheckSpec
}

export type ReplicaRecord = {
  readonly engineId: string
  readonly ref: Ref
  readonly index: number
  readonly release: string
  readonly specHash: string
  /** Several containers, or files: then a holder has the network, and the files where there are any. */
  readonly group: boolean
  readonly files: boolean
  readonly stopGraceSeconds: number
  /** That go with it, files not counted. */
  readonly volumes: readonly string[]
  readonly services: readonly ServiceRecord[]
}

/** What of it no other label says. */
type Written = Pick<ReplicaRecord, 'group' | 'files' | 'stopGraceSeconds' | 'volumes' | 'services'>

export function recordOf(desired: Desired, engineId: string, index: number): ReplicaRecord {
  const { ref, release, specHash, stopGraceSeconds } = desired
  const services = desired.services.map(({ name, role, dependsOn, ports, healthCheck }): ServiceRecord => {
    return { name, role, dependsOn, ports, ...(healthCheck ? { healthCheck } : {}) }
  })
  const files = planFiles(desired.services).length > 0
  const passing = desired.services.flatMap(({ volumes }) => volumes).filter(({ type }) => isPassing(type))
  const volumes = [...new Set(passing.map(({ name }) => name))]
  const group = files || services.length > 1
  return { engineId, ref, index, release, specHash, group, files, stopGraceSeconds, volumes, services }
}

const isPassing = (type: VolumeType): boolean => type === 'ephemeral' || type === 'memory'

export function writeRecord({ group, files, stopGraceSeconds, volumes, services }: ReplicaRecord): string {
  return JSON.stringify({ group, files, stopGraceSeconds, volumes, services } satisfies Written)
}

/** `undefined`: not a container of ours. One whose record cannot be read is ours all the same, to be seen and removed. */
export function recordFrom(installation: string, labels: Readonly<Record<string, string>>): ReplicaRecord | undefined {
  const ref = refFromLabels(installation, labels)
  const engineId = labels[engineLabel]
  if (!ref || engineId === undefined) return undefined
  const { [label.replica]: index = '0', [label.release]: release = '', [label.specHash]: specHash = '' } = labels
  return { engineId, ref, index: Number(index), release, specHash, ...written(labels) }
}

function written(labels: Readonly<Record<string, string>>): Written {
  try {
    return JSON.parse(labels[recordLabel] ?? '') as Written
  } catch {
    const { [label.service]: name = 'unknown', [label.role]: role = 'main' } = labels
    const services: ServiceRecord[] = [{ name, role: role as ServiceRole, dependsOn: [], ports: [] }]
    return { group: false, files: false, stopGraceSeconds: 10, volumes: [], services }
  }
}
