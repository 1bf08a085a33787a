/** What is read for a rollout, each by its name, and what that comes to as facts. */
import { type Call, hasEnded, type ObjectKey, type ObjectOf, rolloutName } from '@gantry/core'
import type { RolloutFacts } from '../../rollout/facts.ts'
import { slotFacts } from '../../rollout/slot-facts.ts'
import type { TrafficView } from '../../rollout/traffic.ts'
import type { ControllerDeps } from '../deps.ts'
import { instancesOf } from '../workload/look.ts'
import type { EngineTraffic } from './engine-traffic.ts'

export type RolloutDeps = ControllerDeps & { readonly traffic: TrafficView }

type Rollout = ObjectOf<'Rollout'>

export type Looked = {
  readonly workload: ObjectOf<'Workload'>
  readonly instances: readonly ObjectOf<'Instance'>[]
  readonly facts: RolloutFacts
}

/** `undefined`: the workload is gone, or another one has its name by now. */
export async function lookAround(
  deps: RolloutDeps,
  engines: EngineTraffic,
  rollout: Rollout,
  call: Call,
): Promise<Looked | undefined> {
  const { store, scope, traffic } = deps
  const isFirst = rollout.spec.number === 1
  const [workload, newer, older] = (await Promise.all(
    [workloadKey(rollout), siblingKey(rollout, 1), ...(isFirst ? [] : [siblingKey(rollout, -1)])].map((key) =>
      store.read(scope, key, call),
    ),
  )) as [ObjectOf<'Workload'> | undefined, Rollout | undefined, Rollout | undefined]
  const owner = rollout.metadata.ownerRefs[0]?.uid
  if (!workload || workload.metadata.uid !== owner) return undefined
  const instances = await instancesOf(deps, workload, call)
  const { spec, status, metadata } = workload
  const facts: RolloutFacts = {
    slots: Object.fromEntries(instances.map((instance) => [instance.spec.slot, slotFacts(instance)])),
    wanted: spec.run === 'stopped' ? 0 : spec.replicas,
    ...(status.stable && { stable: status.stable }),
    traffic: { ...traffic.look(rollout), ...(await engines.follow(rollout, { workload, instances }, call)) },
    ...(older && isSibling(older, owner) && { older: olderFacts(older) }),
    superseded: newer !== undefined && isSibling(newer, owner),
    leaving: metadata.deletionRequestedAt !== undefined,
  }
  return { workload, instances, facts }
}

export function workloadKey({ metadata: { tenant = '' }, spec }: Rollout): ObjectKey {
  return { kind: 'Workload', tenant, name: spec.workload }
}

/** Numbers have no holes, so the neighbours are known by name. */
export function siblingKey({ metadata: { tenant = '' }, spec }: Rollout, by: -1 | 1): ObjectKey {
  return { kind: 'Rollout', tenant, name: rolloutName(spec.workload, spec.number + by) }
}

const isSibling = ({ metadata }: Rollout, owner: string | undefined): boolean => metadata.ownerRefs[0]?.uid === owner

function olderFacts({ metadata, status }: Rollout): NonNullable<RolloutFacts['older']> {
  const { weights, stable, phase } = status
  return { name: metadata.name, ended: hasEnded(phase), ...(weights && { weights }), ...(stable && { stable }) }
}
