/** Pure: whether an object of any kind is ready, from what it says of itself. */
import type { KubeObject } from '../../api/types/meta.ts'
import { kindKey, readyWhenThere } from '../kinds.ts'
import { healthByConditions } from './conditions.ts'
import {
  apiServiceHealth,
  autoscalerHealth,
  budgetHealth,
  claimHealth,
  definitionHealth,
  ingressHealth,
  namespaceHealth,
  serviceHealth,
  thereHealth,
  volumeHealth,
} from './others.ts'
import type { Health } from './verdict.ts'
import {
  daemonSetHealth,
  deploymentHealth,
  jobHealth,
  podHealth,
  replicaSetHealth,
  statefulSetHealth,
} from './workloads.ts'

const byKind: Readonly<Record<string, (object: unknown) => Health>> = {
  'Deployment.apps': deploymentHealth,
  'StatefulSet.apps': statefulSetHealth,
  'DaemonSet.apps': daemonSetHealth,
  'ReplicaSet.apps': replicaSetHealth,
  ReplicationController: replicaSetHealth,
  'Job.batch': jobHealth,
  'CronJob.batch': thereHealth,
  Pod: podHealth,
  PersistentVolumeClaim: claimHealth,
  PersistentVolume: volumeHealth,
  Service: serviceHealth,
  'Ingress.networking.k8s.io': ingressHealth,
  'CustomResourceDefinition.apiextensions.k8s.io': definitionHealth,
  'APIService.apiregistration.k8s.io': apiServiceHealth,
  Namespace: namespaceHealth,
  'PodDisruptionBudget.policy': budgetHealth,
  'HorizontalPodAutoscaler.autoscaling': autoscalerHealth,
}

export function healthOf(object: KubeObject): Health {
  const { deletionTimestamp, finalizers = [] } = object.metadata
  if (deletionTimestamp !== undefined) {
    const kept = finalizers.length > 0 ? `, kept by ${finalizers.join(', ')}` : ''
    return { state: 'leaving', message: `it is being deleted${kept}` }
  }
  const { apiVersion, kind } = object
  if (readyWhenThere(apiVersion, kind)) return thereHealth(object)
  return (byKind[kindKey(apiVersion, kind)] ?? healthByConditions)(object)
}
