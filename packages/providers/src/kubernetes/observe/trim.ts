/** Pure: from an object as the server has it to what is kept of it. `undefined`: it is not ours. */
import { milliUnits, readQuantity, wholeUnits } from '@gantry/core'
import { label, refFromLabels } from '../../labels.ts'
import type { Ref } from '../../ref.ts'
import type { Condition, KubeObject } from '../api/types/meta.ts'
import type { Claim, ContainerEnd, ContainerStatus, Node, Pod, ServiceObject, WorkloadObject } from './objects.ts'
import { annotation, type Records } from './record.ts'
import type {
  ClaimSeen,
  ContainerSeen,
  EndSeen,
  NodeSeen,
  ObjectSeen,
  PartSeen,
  PodSeen,
  ServiceSeen,
  WorkloadSeen,
} from './seen.ts'

export type Trimming = {
  readonly installation: string
  readonly records: Records
  /** One value for each instance, however many objects it has. */
  readonly same: (ref: Ref) => Ref
}

export function podSeen(pod: Pod, trimming: Trimming): PodSeen | undefined {
  const common = commonOf(pod, trimming)
  if (!common) return undefined
  const { metadata, spec, status } = pod
  const services = trimming.records.services(metadata.annotations?.[annotation.services])
  const ready = conditionOf(status?.conditions, 'Ready')
  const scheduled = conditionOf(status?.conditions, 'PodScheduled')
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  return {
    ...common,
    release: metadata.labels?.[label.release] ?? '',
    specHash: metadata.labels?.[label.specHash] ?? '',
    createdAt: momentOf(metadata.creationTimestamp) ?? 0,
    services,
    containers: Object.fromEntries(statuses.map((each) => [each.name, containerSeen(each)])),
    ordinal: ordinalOf(pod),
    node: spec?.nodeName || undefined,
    address: status?.podIP || undefined,
    hostAddress: status?.hostIP || undefined,
    phase: status?.phase,
    reason: status?.reason || undefined,
    message: status?.message || undefined,
    ready: ready?.status === 'True',
    readyAt: momentOf(ready?.lastTransitionTime),
    unschedulable:
      scheduled?.status === 'False' && scheduled.reason === 'Unschedulable'
        ? {
            message: scheduled.message ?? 'no node takes it',
            at: momentOf(scheduled.lastTransitionTime) ?? 0,
            ...(status?.nominatedNodeName && { nominated: status.nominatedNodeName }),
          }
        : undefined,
    limits: limitsOf(pod),
    claims: (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : [])),
  }
}

export function containerSeen(status: ContainerStatus): ContainerSeen {
  const { state = {}, lastState = {} } = status
  const { waiting, running, terminated } = state
  return {
    id: status.containerID || terminated?.containerID || undefined,
    state: running ? 'running' : terminated ? 'ended' : 'waiting',
    reason: waiting?.reason,
    message: waiting?.message,
    startedAt: momentOf(running?.startedAt ?? terminated?.startedAt ?? lastState.terminated?.startedAt),
    end: endSeen(terminated ?? lastState.terminated),
    restarts: status.restartCount,
    ready: status.ready,
    started: status.started ?? running !== undefined,
  }
}

function endSeen(end: ContainerEnd | undefined): EndSeen | undefined {
  if (!end) return undefined
  return { code: end.exitCode, reason: end.reason, message: end.message || undefined, at: momentOf(end.finishedAt) }
}

export function workloadSeen(object: WorkloadObject, trimming: Trimming): WorkloadSeen | undefined {
  const common = commonOf(object, trimming)
  if (!common) return undefined
  const { metadata, spec, status } = object
  const { annotations = {} } = metadata
  const template = spec?.template?.metadata
  const failure = conditionOf(status?.conditions, 'ReplicaFailure')
  return {
    ...common,
    kind: object.kind === 'StatefulSet' ? 'StatefulSet' : 'Deployment',
    createdAt: momentOf(metadata.creationTimestamp) ?? 0,
    generation: metadata.generation ?? 0,
    observedGeneration: status?.observedGeneration ?? 0,
    replicas: spec?.replicas ?? 1,
    specHash: template?.labels?.[label.specHash] ?? '',
    services: trimming.records.services(template?.annotations?.[annotation.services]),
    wishes: trimming.records.wishes(annotations[annotation.wishes]),
    counted: {
      all: status?.replicas ?? 0,
      updated: status?.updatedReplicas ?? 0,
      available: status?.availableReplicas ?? 0,
    },
    refusal:
      failure?.status === 'True'
        ? { message: failure.message ?? failure.reason ?? '', at: momentOf(failure.lastTransitionTime) ?? 0 }
        : undefined,
    template: annotations[annotation.template],
    fixed: annotations[annotation.fixed],
    applied: annotations[annotation.applied],
    updateRevision: status?.updateRevision,
  }
}

export function serviceSeen(object: ServiceObject, trimming: Trimming): ServiceSeen | undefined {
  const { metadata, spec, status } = object
  if (metadata.labels?.[label.installation] !== trimming.installation) return undefined
  const ref = refFromLabels(trimming.installation, metadata.labels)
  const { clusterIP } = spec ?? {}
  return {
    ...bareOf(object),
    ref: ref && trimming.same(ref),
    workload: {
      tenant: metadata.labels[label.tenant] ?? '',
      workload: metadata.labels[label.workload] ?? '',
      uid: metadata.labels[label.uid] ?? '',
    },
    type: spec?.type ?? 'ClusterIP',
    clusterIp: clusterIP && clusterIP !== 'None' ? clusterIP : undefined,
    ports: (spec?.ports ?? []).map(({ port, protocol = 'TCP', nodePort }) => ({ port, protocol, nodePort })),
    selector: spec?.selector ?? {},
    balancers: (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []),
    applied: metadata.annotations?.[annotation.applied],
  }
}

export function claimSeen(object: Claim, trimming: Trimming): ClaimSeen | undefined {
  const common = commonOf(object, trimming)
  const { metadata, status } = object
  return (
    common && {
      ...common,
      bound: status?.phase === 'Bound',
      createdAt: momentOf(metadata.creationTimestamp) ?? 0,
      applied: metadata.annotations?.[annotation.applied],
    }
  )
}

export function partSeen(object: KubeObject, trimming: Trimming): PartSeen | undefined {
  const common = commonOf(object, trimming)
  return common && { ...common, generation: object.metadata.generation ?? 0 }
}

export function nodeSeen({ metadata, spec, status }: Node): NodeSeen {
  const allocatable = Object.entries(status?.allocatable ?? {})
  const internal = status?.addresses?.find(({ type }) => type === 'InternalIP')
  return {
    name: metadata.name,
    resourceVersion: metadata.resourceVersion ?? '',
    ready: conditionOf(status?.conditions, 'Ready')?.status === 'True',
    address: (internal ?? status?.addresses?.[0])?.address,
    allocatable: Object.fromEntries(allocatable.map(([name, amount]) => [name, String(amount)])),
    schedulable: !spec?.unschedulable,
  }
}

function commonOf(object: KubeObject, { installation, same }: Trimming): ObjectSeen | undefined {
  const ref = refFromLabels(installation, object.metadata.labels ?? {})
  return ref && { ...bareOf(object), ref: same(ref) }
}

const bareOf = ({ metadata }: KubeObject): Omit<ObjectSeen, 'ref'> => ({
  uid: metadata.uid ?? '',
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  resourceVersion: metadata.resourceVersion ?? '',
  deleting: metadata.deletionTimestamp !== undefined,
})

const conditionOf = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((each) => each.type === type)

/** The label is there from 1.28 on; the name says the same. */
function ordinalOf({ metadata }: Pod): number | undefined {
  if (!metadata.ownerReferences?.some(({ kind, controller }) => controller && kind === 'StatefulSet')) return undefined
  const text =
    metadata.labels?.['apps.kubernetes.io/pod-index'] ?? metadata.name.slice(metadata.name.lastIndexOf('-') + 1)
  return /^\d+$/.test(text) ? Number(text) : undefined
}

function limitsOf({ spec }: Pod): PodSeen['limits'] {
  const lasting = [
    ...(spec?.initContainers ?? []).filter((each) => each.restartPolicy === 'Always'),
    ...(spec?.containers ?? []),
  ]
  const sum = (name: string, count: (quantity: bigint) => bigint): number | undefined => {
    let total = 0
    for (const { resources } of lasting) {
      const quantity = readQuantity(String(resources?.limits?.[name] ?? ''))
      if (quantity === undefined) return undefined
      total += Number(count(quantity))
    }
    return lasting.length === 0 ? undefined : total
  }
  return { cpuMillis: sum('cpu', milliUnits), memoryBytes: sum('memory', wholeUnits) }
}

/** Times of the server are whole seconds; `null` where it has none. */
function momentOf(text: string | null | undefined): number | undefined {
  if (!text) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}
