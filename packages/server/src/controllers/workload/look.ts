/** What is read about a workload, each by its name: a pass costs the same however many there are. */
import type { Call, GantryObject, InstanceSlot, KindName, ObjectKey, ObjectOf } from '@gantry/core'
import { instanceName, slots } from '@gantry/core'
import type { ControllerDeps } from '../deps.ts'
import { isOpenTo } from './choose-provider.ts'
import type { Dependency } from './dependencies.ts'
import { madeForSelector } from './made-for.ts'

type Reading = Pick<ControllerDeps, 'store' | 'scope'>
type Workload = ObjectOf<'Workload'>

export async function newestRollout(
  { store, scope }: Reading,
  { metadata: { tenant = '' }, status }: Workload,
  call: Call,
): Promise<ObjectOf<'Rollout'> | undefined> {
  if (status.rollout === undefined) return undefined
  const found = await store.read(scope, { kind: 'Rollout', tenant, name: status.rollout }, call)
  return found as ObjectOf<'Rollout'> | undefined
}

export async function instancesOf(
  { store, scope }: Reading,
  { metadata: { tenant = '', name, uid } }: Workload,
  call: Call,
): Promise<readonly ObjectOf<'Instance'>[]> {
  const read = slots.map((slot) => store.read(scope, instanceKey(tenant, name, slot), call))
  const found = (await Promise.all(read)) as (ObjectOf<'Instance'> | undefined)[]
  // One of a workload that had this name before is not ours.
  return found.flatMap((instance) => (instance?.spec.uid === uid ? [instance] : []))
}

/** Whether nobody has an instance by these names, not even a workload that had this name before. */
export async function areSlotsFree(
  { store, scope }: Reading,
  { metadata: { tenant = '', name } }: Workload,
  call: Call,
): Promise<boolean> {
  const found = await Promise.all(slots.map((slot) => store.read(scope, instanceKey(tenant, name, slot), call)))
  return found.every((instance) => instance === undefined)
}

/** All releases or rollouts that are kept. */
export async function keptOf<Kind extends KindName & ('Release' | 'Rollout')>(
  { store, scope }: Reading,
  kind: Kind,
  { metadata: { tenant = '', name, uid } }: Workload,
  call: Call,
): Promise<readonly ObjectOf<Kind>[]> {
  const query = { kind, tenant, labelSelector: madeForSelector(name), limit: mostKept }
  const { items } = await store.list(scope, query, call)
  return items.filter((item) => isOwned(item, uid)) as unknown as readonly ObjectOf<Kind>[]
}

/** Far more than are kept. */
const mostKept = 1000

/** All there are to choose from. Where the likely one is open to the tenant it is the choice, and the others do not matter. */
export async function providersOf(
  { store, scope }: Reading,
  tenant: string,
  likely: string | undefined,
  call: Call,
): Promise<readonly ObjectOf<'Provider'>[]> {
  if (likely !== undefined) {
    const found = await store.read(scope, { kind: 'Provider', name: likely }, call)
    const provider = found as ObjectOf<'Provider'> | undefined
    if (provider && isOpenTo(tenant, provider)) return [provider]
  }
  const { items } = await store.list(scope, { kind: 'Provider', limit: mostKept }, call)
  return items as unknown as readonly ObjectOf<'Provider'>[]
}

export async function dependenciesOf(
  { store, scope }: Reading,
  { metadata: { tenant = '' }, spec }: Workload,
  call: Call,
): Promise<readonly Dependency[]> {
  return await Promise.all(
    spec.dependsOn.map(async ({ workload }) => ({
      workload,
      found: await store.read(scope, { kind: 'Workload', tenant, name: workload }, call),
    })),
  )
}

function instanceKey(tenant: string, workload: string, slot: InstanceSlot): ObjectKey {
  return { kind: 'Instance', tenant, name: instanceName(workload, slot) }
}

const isOwned = ({ metadata }: GantryObject, uid: string): boolean => metadata.ownerRefs.some((ref) => ref.uid === uid)
