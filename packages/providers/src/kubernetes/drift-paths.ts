/** Pure: which part of a workload's spec a place in an object of the cluster was made from. */
import { contentHash } from '../content-hash.ts'
import type { Desired } from '../desired.ts'
import type { KubeObject } from './api/types/meta.ts'
import { changedPlaces, type Place } from './drift.ts'
import { annotation } from './observe/record.ts'
import { planInstance } from './plan/instance.ts'
import type { PlannedObject } from './plan/planned.ts'
import type { PlanSettings } from './plan/settings.ts'
import { readTemplateInputs } from './plan/template-inputs.ts'

type Named = { readonly name: string }

/** By field of a container. What is not here is shown as the service as a whole. */
const ofContainer: Readonly<Record<string, string>> = {
  image: 'image',
  imagePullPolicy: 'imagePullPolicy',
  command: 'command',
  args: 'args',
  workingDir: 'workingDir',
  env: 'env',
  ports: 'ports',
  securityContext: 'user',
  volumeMounts: 'volumes',
  startupProbe: 'healthCheck',
  readinessProbe: 'healthCheck',
  livenessProbe: 'healthCheck',
}

const ofResource: Readonly<Record<string, string>> = { cpu: 'cpu', memory: 'memory', 'ephemeral-storage': 'disk' }

/** By field of a pod's spec, outside its containers. */
const ofPod: Readonly<Record<string, string>> = {
  terminationGracePeriodSeconds: 'spec.stopGraceSeconds',
  serviceAccountName: 'spec.engine.kubernetes.serviceAccount',
  automountServiceAccountToken: 'spec.engine.kubernetes.serviceAccount',
  nodeSelector: 'spec.engine.kubernetes.nodeSelector',
  tolerations: 'spec.engine.kubernetes.tolerations',
}

/** By field of a Deployment's or StatefulSet's spec. */
const ofWorkload: Readonly<Record<string, string>> = {
  replicas: 'spec.replicas',
  strategy: 'spec.strategy',
  updateStrategy: 'spec.strategy',
  minReadySeconds: 'spec.strategy.minReadySeconds',
}

/** Paths of the spec, each once: what `Observed.drift` has. */
export function driftOf(
  desired: Pick<Desired, 'services'>,
  { body, at: { resource } }: PlannedObject,
  live: KubeObject,
): string[] {
  const paths = changedPlaces(body, live).map((place) => specPath(desired.services, resource.kind, place))
  return [...new Set(paths)]
}

/**
 * What somebody else has changed of a Deployment or StatefulSet that was last applied for this. One that was applied for
 * something else has not got there yet: that is nobody else's doing.
 */
export function workloadDrift(desired: Desired, live: KubeObject, settings: PlanSettings): string[] {
  const { annotations = {} } = live.metadata
  const { workload } = planInstance(desired, settings, readTemplateInputs(annotations[annotation.template]))
  return annotations[annotation.applied] === contentHash(workload.body) ? driftOf(desired, workload, live) : []
}

function specPath(services: readonly Named[], kind: string, place: Place): string {
  const [root = '', ...rest] = place
  if (root === 'metadata') return rest[0] === 'labels' ? 'metadata.labels' : 'spec'
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
      return workloadPath(services, rest)
    case 'Service':
      return rest[0] === 'type' ? 'spec.expose' : 'spec.services'
    case 'PersistentVolumeClaim':
    case 'ConfigMap':
    case 'Secret':
      return 'spec.services'
    default:
      return 'spec'
  }
}

function workloadPath(services: readonly Named[], place: Place): string {
  const [field = '', part, pod = '', name, ...rest] = place
  if (field !== 'template') return ofWorkload[field] ?? 'spec'
  if (part === 'metadata') return pod === 'labels' ? 'metadata.labels' : 'spec.services'
  if (pod !== 'containers' && pod !== 'initContainers') return ofPod[pod] ?? 'spec.services'
  const at = services.findIndex((service) => service.name === name)
  return at < 0 ? 'spec.services' : containerPath(`spec.services[${at}]`, rest)
}

function containerPath(service: string, [field = '', first = '', second = '']: Place): string {
  if (field === 'resources') {
    const list = first === 'requests' ? 'requests' : 'resources'
    return second === '' ? `${service}.${list}` : `${service}.${list}.${ofResource[second] ?? 'gpu'}`
  }
  if (field === 'env' && first !== '') return `${service}.env.${first}`
  const named = ofContainer[field]
  return named === undefined ? service : `${service}.${named}`
}
