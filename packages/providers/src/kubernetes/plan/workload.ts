/** Pure: the Deployment or StatefulSet of an instance. */
import { contentHash } from '../../content-hash.ts'
import type { Desired, InPlaceUpdate } from '../../desired.ts'
import { resources } from '../api/resources.ts'
import type { PodTemplate } from '../api/types/pods.ts'
import type { Deployment, DeploymentStrategy, StatefulSet, StatefulSetStrategy } from '../api/types/workloads.ts'
import { governingName } from '../names.ts'
import { annotation, type WishesRecord } from '../observe/record.ts'
import { unenforced } from '../unenforced.ts'
import { persistentVolumes } from './claimed-volumes.ts'
import { claimTemplates } from './claims.ts'
import { type Labels, selectorOf } from './labels.ts'
import { type PlannedObject, planned } from './planned.ts'
import type { TemplateInputs } from './template-inputs.ts'

/** No progress deadline of the controller's: how long a rollout may take is for the one who rolls out to say. */
const noDeadline = 2_147_483_647

/** Going back is by our releases. Old ones would only lie about. */
const revisionHistoryLimit = 0

export type WorkloadParts = {
  readonly namespace: string
  readonly name: string
  readonly labels: Labels
  readonly inputs: TemplateInputs
  readonly template: PodTemplate
}

/**
 * Replicas of a deployment that have a volume each need to know which is whose, so they are a StatefulSet as well, all at
 * once instead of one after the other.
 */
export const isStatefulSet = (desired: Pick<Desired, 'type' | 'services'>): boolean =>
  desired.type === 'stateful_set' || persistentVolumes(desired).length > 0

export const plannedWorkload = (desired: Desired, parts: WorkloadParts): PlannedObject =>
  isStatefulSet(desired) ? statefulSet(desired, parts) : deployment(desired, parts)

export const replicasOf = ({ run, replicas }: Pick<Desired, 'run' | 'replicas'>): number =>
  run === 'stopped' ? 0 : replicas

function deployment(desired: Desired, { namespace, name, labels, inputs, template }: WorkloadParts): PlannedObject {
  const selector = { matchLabels: selectorOf(desired) }
  const annotations = annotationsOf(desired, inputs, { selector })
  return planned<Deployment>(
    resources.deployment,
    { namespace, name },
    { labels, annotations },
    {
      spec: {
        replicas: replicasOf(desired),
        selector,
        strategy: deploymentStrategy(desired.update),
        minReadySeconds: desired.update.minReadySeconds,
        progressDeadlineSeconds: noDeadline,
        revisionHistoryLimit,
        template,
      },
    },
  )
}

function statefulSet(desired: Desired, { namespace, name, labels, inputs, template }: WorkloadParts): PlannedObject {
  const claims = claimTemplates(desired, inputs)
  const fixed = {
    selector: { matchLabels: selectorOf(desired) },
    serviceName: governingName(name),
    podManagementPolicy: desired.type === 'stateful_set' ? ('OrderedReady' as const) : ('Parallel' as const),
    ...(claims.length === 0 ? {} : { volumeClaimTemplates: claims }),
  }
  const annotations = annotationsOf(desired, inputs, fixed)
  return planned<StatefulSet>(
    resources.statefulSet,
    { namespace, name },
    { labels, annotations },
    {
      spec: {
        replicas: replicasOf(desired),
        ...fixed,
        updateStrategy: setStrategy(desired.update),
        minReadySeconds: desired.update.minReadySeconds,
        revisionHistoryLimit,
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        template,
      },
    },
  )
}

function deploymentStrategy(update: InPlaceUpdate): DeploymentStrategy {
  if (update.type === 'recreate') return { type: 'Recreate' }
  const { maxSurge, maxUnavailable } = update
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }
}

/** The highest number first, one at a time; or, for whoever wants all away first, when the engine ends them. */
const setStrategy = ({ type }: InPlaceUpdate): StatefulSetStrategy =>
  type === 'recreate' ? { type: 'OnDelete' } : { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }

function annotationsOf(desired: Desired, inputs: TemplateInputs, fixed: object): Record<string, string> {
  const wishes: WishesRecord = {
    maxPerHour: desired.restart.maxPerHour,
    minReadySeconds: desired.update.minReadySeconds,
    notEnforced: unenforced(desired),
    expose: desired.expose,
  }
  return {
    [annotation.wishes]: JSON.stringify(wishes),
    [annotation.template]: JSON.stringify(inputs),
    [annotation.fixed]: contentHash(fixed),
  }
}
