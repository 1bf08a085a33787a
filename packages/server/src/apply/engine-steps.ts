/** What engines would do for a change of a workload, as their providers plan it: the last part of a plan. */
import {
  type Call,
  contentReference,
  type InstanceSlot,
  instanceName,
  isFault,
  type ObjectOf,
  otherSlot,
  Secret,
  type SourceSpec,
  slots,
  sourceType,
  type WorkloadSpec,
  workloadEffects,
} from '@gantry/core'
import {
  type Desired,
  type DesiredService,
  desiredSource,
  type EngineStep,
  inPlaceUpdate,
  type Observed,
} from '@gantry/providers'
import type { Store, SystemScope } from '@gantry/store'
import { chooseProvider } from '../controllers/workload/choose-provider.ts'
import type { EngineHub } from '../engines/engine-hub.ts'
import { openSource } from '../engines/sealed-source.ts'
import type { Vault } from '../vault/vault.ts'

export type WorkloadChange = {
  readonly tenant: string
  readonly name: string
  /** As it is; `undefined`: there is none. */
  readonly live: ObjectOf<'Workload'> | undefined
  /** As it is to be; `undefined`: deleted. */
  readonly after: WorkloadSpec | undefined
  /** What its source refers to and is not in the vault yet, by reference. */
  readonly sources?: ReadonlyMap<string, string>
}

/** In words; nothing where no engine would be touched. */
export type EngineSteps = (change: WorkloadChange, call: Call) => Promise<readonly string[]>

/** More than anybody has. */
const mostProviders = 1000

type Instance = ObjectOf<'Instance'>
type Hub = Pick<EngineHub, 'engine' | 'sight'>

type Contents = Pick<Vault, 'openContent'>

export function engineStepsOf(store: Store, scope: SystemScope, hub: Hub, vault: Contents): EngineSteps {
  return async (change, call) => {
    const { tenant, name } = change
    const read = (slot: InstanceSlot) =>
      store.read(scope, { kind: 'Instance', tenant, name: instanceName(name, slot) }, call)
    const found = (await Promise.all(slots.map(read))).filter((one) => one !== undefined) as Instance[]
    try {
      if (!change.after) return found.flatMap((instance) => removal(hub, tenant, instance))
      const { items } = await store.list(scope, { kind: 'Provider', limit: mostProviders }, call)
      const stable = found.find(({ spec }) => spec.slot === change.live?.status.stable) ?? found[0]
      const wish = { tenant, named: change.after.provider, current: stable?.spec.provider }
      const provider = chooseProvider(items as unknown as ObjectOf<'Provider'>[], wish)
      return stepsFor(
        hub,
        { ...change, source: await openedSource(vault, change, call) },
        change.after,
        provider,
        stable,
      )
    } catch (error) {
      // A plan of what is wanted holds also while nobody can tell what an engine would do about it.
      if (isFault(error, 'unavailable') || isFault(error, 'not_found')) return [`cannot be told now: ${error.message}`]
      throw error
    }
  }
}

/** With what its source says. */
type Opened = WorkloadChange & { readonly source: SourceSpec | undefined }

function stepsFor(
  hub: Hub,
  change: Opened,
  after: WorkloadSpec,
  provider: string,
  stable: Instance | undefined,
): string[] {
  const { tenant, live } = change
  const { release, replaced } = workloadEffects(live?.spec, after)
  const isNew = release || replaced > 0
  const isMoved = stable !== undefined && stable.spec.provider !== provider
  const isBeside = isMoved || (isNew && (after.strategy.type === 'blue_green' || after.strategy.type === 'canary'))
  const engine = hub.engine(provider)
  const needs = after.source && (`source:${sourceType(after.source) ?? 'manifests'}` as const)
  // It is refused when it is applied, so nothing would be done.
  if (needs && !engine.declares.has(needs)) return [`nothing on ${provider}, which does not offer ${needs}`]
  if (!stable) return worded(engine.plan(desired(change, after, 'a', true), undefined), provider, 'a')
  const { slot } = stable.spec
  if (!isBeside) {
    const seen = observed(hub, tenant, stable)
    return worded(engine.plan(desired(change, after, slot, isNew, stable), seen), provider, slot)
  }
  const other = otherSlot(slot)
  const made = worded(engine.plan(desired(change, after, other, true), undefined), provider, other)
  return [...made, ...removal(hub, tenant, stable)]
}

function removal(hub: Hub, tenant: string, instance: Instance): string[] {
  const { provider, slot } = instance.spec
  return worded(hub.engine(provider).plan(undefined, observed(hub, tenant, instance)), provider, slot)
}

function observed(hub: Hub, tenant: string, { spec }: Instance): Observed | undefined {
  const { workload, uid, slot, provider } = spec
  const sight = hub.sight(provider, { tenant, workload, uid, slot })
  if (sight.state === 'blind') throw sight.fault
  return sight.observed
}

/** Values of secrets and contents of files are left out: which objects there are does not depend on them. */
function desired(
  { tenant, name, live, source }: Opened,
  after: WorkloadSpec,
  slot: InstanceSlot,
  isNew: boolean,
  stable?: Instance,
): Desired {
  const { type, run, replicas, restart, stopGraceSeconds, expose, engine } = after
  const number = isNew ? (live?.status.releases ?? 0) + 1 : (stable?.spec.release ?? 1)
  const services = after.services.map(
    ({ imagePullSecret: _, ...service }): DesiredService => ({ ...service, secrets: [], configFiles: [] }),
  )
  return {
    ref: { tenant, workload: name, uid: live?.metadata.uid ?? 'planned', slot },
    installation: 'planned',
    labels: {},
    type,
    run,
    replicas,
    release: `v${number}`,
    // Of a release that is not made yet nobody has a hash: it is another than all that there are.
    specHash: isNew ? 'planned' : (stable?.status.specHash ?? 'planned'),
    services,
    ...(source && { source: desiredSource(source) }),
    restart,
    update: inPlaceUpdate(after.strategy, type),
    stopGraceSeconds,
    expose,
    engine,
  }
}

/** The objects that others wrote are what a plan is about, so it has to know what they are. */
async function openedSource(
  vault: Contents,
  { tenant, live, after, sources }: WorkloadChange,
  call: Call,
): Promise<SourceSpec | undefined> {
  if (!after?.source) return undefined
  const openContent: Contents['openContent'] = async (owner, name, reference, at) => {
    const given = sources?.get(contentReference(reference))
    return given === undefined ? await vault.openContent(owner, name, reference, at) : new Secret(given)
  }
  const owner = { tenant, owner: live?.metadata.uid ?? '' }
  return await openSource({ openContent }, owner, after.source, call)
}

function worded(steps: readonly EngineStep[], provider: string, slot: InstanceSlot): string[] {
  return steps.map(({ verb, object, why }) => `${verb} ${object} in slot ${slot} on ${provider} (${why})`)
}
