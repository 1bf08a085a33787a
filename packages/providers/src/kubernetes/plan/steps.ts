/** Pure: what passes would do from here, in words and objects of the cluster. */
import type { Desired } from '../../desired.ts'
import type { EngineStep } from '../../engine-step.ts'
import type { Observed } from '../../observed.ts'
import { replicaSteps } from '../../replica-set/steps.ts'
import { replicaCount } from '../../replica-set/view.ts'
import { instanceName, namespaceName } from '../names.ts'
import { planInstance } from './instance.ts'
import type { PlannedObject } from './planned.ts'
import type { PlanSettings } from './settings.ts'
import { replicasOf } from './workload.ts'

export function planSteps(
  desired: Desired | undefined,
  observed: Observed | undefined,
  settings: PlanSettings,
): EngineStep[] {
  if (!desired) return observed ? [...removal(observed, settings), ...replicaSteps(undefined, observed)] : []
  const replicas = replicaSteps(desired, observed)
  if (!observed) return [...creation(desired, settings), ...replicas]
  return [...changes(desired, observed, settings, replicas), ...replicas]
}

function creation(desired: Desired, settings: PlanSettings): EngineStep[] {
  const { config, claims, workload, others } = planInstance(desired, settings)
  const why = `release ${desired.release}`
  const create = (object: PlannedObject): EngineStep => ({ verb: 'create', object: nameOf(object), why })
  return [
    ...config.map(create),
    ...claims.map((claim) => ({
      ...create(claim),
      why: 'a volume of its own; one that is there already is taken up again',
    })),
    { ...create(workload), why: `${why}, ${replicaCount(replicasOf(desired))}` },
    ...others.map(create),
  ]
}

function changes(
  desired: Desired,
  { replicas, drift }: Observed,
  settings: PlanSettings,
  steps: readonly EngineStep[],
): EngineStep[] {
  const isOld = steps.some(({ verb }) => verb === 'replace')
  if (steps.length === 0 && drift.length === 0) return []
  const { config, workload } = planInstance(desired, settings)
  const there = replicas.filter(({ terminating }) => !terminating).length
  const wanted = replicasOf(desired)
  const why = [
    ...(isOld ? [`release ${desired.release}`] : []),
    ...(there === wanted ? [] : [`${replicaCount(wanted)} wanted, ${there} there`]),
    ...(drift.length === 0 ? [] : [`somebody else has changed ${drift.join(', ')}`]),
  ]
  return [
    ...(isOld ? config : []).map(
      (object): EngineStep => ({ verb: 'create', object: nameOf(object), why: `release ${desired.release}` }),
    ),
    { verb: 'change', object: nameOf(workload), why: why.join('; ') },
  ]
}

/** Which kind it was is not known any more where nothing is desired; claims that are to be retained stay. */
function removal({ ref }: Observed, { installation, namespaces }: PlanSettings): EngineStep[] {
  const place = `${namespaceName(namespaces, ref.tenant)}/${instanceName(installation, ref)}`
  const why = 'the instance is to be removed'
  return [{ verb: 'remove', object: `workload ${place}, and all that belongs to it`, why }]
}

const nameOf = ({ at: { resource, namespace, name } }: PlannedObject): string => `${resource.kind} ${namespace}/${name}`
