/** What really is on a cluster, read past the provider: from the plain API, and of processes from /proc and control groups. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Call, milliUnits, readQuantity, wholeUnits } from '@gantry/core'
import type { Truth, TruthObject, TruthService } from '../contract/harness.ts'
import type { KubernetesApi, Resource } from '../kubernetes/api/api.ts'
import { resources } from '../kubernetes/api/resources.ts'
import type { KubeObject } from '../kubernetes/api/types/meta.ts'
import type { Pod } from '../kubernetes/observe/objects.ts'
import { annotation, type ServiceRecord } from '../kubernetes/observe/record.ts'
import { retainLabel, volumeLabel } from '../kubernetes/plan/claims.ts'
import { label, ownerLabels } from '../labels.ts'
import type { Ref } from '../ref.ts'
import { groupMembers, isAlive, limitsOf, parentOf, readOrEmpty } from './kernel.ts'

export type TruthPlace = {
  readonly api: KubernetesApi
  readonly installation: string
  readonly namespace: string
  /** Of the cluster: where containerd says which process a container is. */
  readonly folder: string
}

const kinds: readonly Resource[] = [
  resources.deployment,
  resources.statefulSet,
  resources.service,
  resources.configMap,
  resources.secret,
  resources.disruptionBudget,
]

export async function kubernetesTruth(place: TruthPlace, ref: Ref, call: Call): Promise<Truth> {
  const { api, installation, namespace } = place
  const owner = ownerLabels(installation, ref)
  const { [label.uid]: _, ...heir } = owner
  const list = async <T extends KubeObject>(resource: Resource, labels: Readonly<Record<string, string>>) => {
    const labelSelector = Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(',')
    return (await api.objects.list<T>({ resource, namespace }, { labelSelector }, call)).items
  }
  const [pods, claims, sets, ...others] = await Promise.all([
    list<Pod>(resources.pod, owner),
    list(resources.claim, heir),
    list(resources.replicaSet, owner),
    ...kinds.map((resource) => list(resource, owner)),
  ])
  const own = claims.filter(({ metadata }) => metadata.labels?.[label.uid] === ref.uid || isRetained(metadata))
  // Those of a Deployment that is there are its own business: it removes them when it likes.
  const hasDeployment = others.flat().some(({ kind }) => kind === 'Deployment')
  const numbers = numbersOf(pods)
  return {
    objects: [...pods, ...own, ...(hasDeployment ? [] : sets), ...others.flat()].map(objectOf),
    services: pods.flatMap((pod) => servicesOf(pod, numbers.get(pod.metadata.uid ?? '') ?? 0, place)),
    volumes: own.map(({ metadata }) => ({
      id: `${resources.claim.plural}/${metadata.uid}`,
      name: metadata.labels?.[volumeLabel] ?? '',
      replica: Number(metadata.labels?.[label.replica]),
    })),
  }
}

const isRetained = ({ labels }: KubeObject['metadata']): boolean => labels?.[retainLabel] !== 'false'

/** Annotations count: what a user writes may not be fit for a label here. */
const objectOf = ({ kind, metadata }: KubeObject): TruthObject => ({
  id: `${kind}/${metadata.uid}`,
  kind,
  labels: { ...metadata.annotations, ...metadata.labels },
})

/** Of a StatefulSet's pods their own; others are told apart by age. */
function numbersOf(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const order = [...pods].sort(({ metadata: left }, { metadata: right }) =>
    `${left.creationTimestamp} ${left.name}` < `${right.creationTimestamp} ${right.name}` ? -1 : 1,
  )
  return new Map(
    order.map(({ metadata }, at) => {
      const own = metadata.labels?.['apps.kubernetes.io/pod-index']
      return [metadata.uid ?? '', own === undefined ? at : Number(own)]
    }),
  )
}

function servicesOf(pod: Pod, replica: number, place: TruthPlace): TruthService[] {
  const records = JSON.parse(pod.metadata.annotations?.[annotation.services] ?? '[]') as readonly ServiceRecord[]
  return records.flatMap(({ name }) => {
    const pid = pidOf(pod, name, place.folder)
    if (pid === undefined) return []
    const running = isAlive(pid)
    return [
      {
        replica,
        service: name,
        processId: `${pod.metadata.uid} ${name} ${pid}`,
        running,
        startedAt: startOf(pid),
        commands: running ? commandsIn(pid) : 0,
        limits: running ? { ...limitsOf(pid), ...limitsIn(pod, name) } : {},
        requests: requestsOf(pod, name),
      },
    ]
  })
}

/** Of the process of a container that runs, by the files of containerd. */
export function pidOf({ status }: Pod, container: string, folder: string): number | undefined {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
  const id = all.find(({ name }) => name === container)?.containerID?.replace(/^.*:\/\//, '')
  if (!id) return undefined
  const file = join(folder, 'in-run/containerd/io.containerd.runtime.v2.task/k8s.io', id, 'init.pid')
  const pid = Number.parseInt(readOrEmpty(file), 10)
  return Number.isNaN(pid) ? undefined : pid
}

/** To a hundredth of a second; the API has whole ones only. */
function startOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 0)
  const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0])
  return Date.now() - (uptime - ticks / 100) * 1000
}

/** What runs in a container and was begun by nobody in it, but for its main process. */
function commandsIn(main: number): number {
  const members = new Set(groupMembers(main))
  return [...members].filter((pid) => pid !== main && isAlive(pid) && !members.has(parentOf(pid))).length
}

const containerIn = ({ spec }: Pod, name: string) =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].find((each) => each.name === name)

/** What no control group holds: the kubelet and the scheduler do. */
function limitsIn(pod: Pod, name: string): TruthService['limits'] {
  const limits = containerIn(pod, name)?.resources?.limits ?? {}
  const disk = readQuantity(String(limits['ephemeral-storage'] ?? ''))
  const gpus = Number(limits['nvidia.com/gpu'] ?? 0)
  return { ...(disk === undefined ? {} : { diskBytes: Number(wholeUnits(disk)) }), ...(gpus > 0 ? { gpus } : {}) }
}

function requestsOf(pod: Pod, name: string): TruthService['requests'] {
  const { resources: found } = (containerIn(pod, name) ?? {}) as { resources?: { requests?: Record<string, string> } }
  const [cpu, memory] = [readQuantity(found?.requests?.cpu ?? ''), readQuantity(found?.requests?.memory ?? '')]
  return {
    ...(cpu ? { cpuMillis: Number(milliUnits(cpu)) } : {}),
    ...(memory ? { memoryBytes: Number(wholeUnits(memory)) } : {}),
  }
}
