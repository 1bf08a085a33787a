/** Looks at everything an apply is about, and decides what it would do: the same for plan and apply. */
import { randomUUID } from 'node:crypto'
import {
  type Call,
  describeEffects,
  Fault,
  type GantryObject,
  hashOf,
  isFault,
  makePlan,
  type ObjectKey,
  type Plan,
  type PlanBasis,
  type PlanStep,
  type ProviderSpec,
  type TenantSpec,
  type WorkloadSpec,
  type WrittenKindName,
  workloadEffects,
  writtenKinds,
} from '@gantry/core'
import type { Command, Scope, UsageLimit } from '@gantry/store'
import type { ObjectAccess } from '../app/request.ts'
import { lastAppliedNote, view } from '../objects/annotations.ts'
import { changesBetween } from '../objects/changes.ts'
import { draftOf, keyOf } from '../objects/draft.ts'
import { keptOnDelete, type WriteDeps } from '../objects/write.ts'
import { defaultProviderLimit } from '../providers/default-provider.ts'
import { limitsOf } from '../quota/limits.ts'
import { sourceContents } from '../vault/source-contents.ts'
import { sealWorkload, withSameContents } from '../vault/workload-contents.ts'
import { type Outcome, outcomeOf } from './merge.ts'
import type { ObservedFingerprint } from './observed.ts'
import { planHashOf, type Seen } from './plan-hash.ts'
import { type Live, readWishes, type Wish } from './wish.ts'

export type Input = {
  readonly objects: readonly unknown[]
  readonly tenant?: string | undefined
  readonly prune?: { readonly labelSelector: string } | undefined
  /** Who asks. */
  readonly by: string
}

export type Prepared = {
  readonly scope: Scope
  /** Made when it is asked for: an apply that is held to none needs no hash. */
  readonly plan: () => Plan
  readonly seen: () => readonly Seen[]
  /** In the order they must happen; `index`: of the object in the input, `undefined` for what is pruned. */
  readonly writes: readonly {
    readonly command: Command
    readonly index: number | undefined
    readonly step: PlanStep
    readonly live: Live
    /** What is to be in the vault, by reference: a plan has to look at it, and nothing is there yet. */
    readonly sources?: ReadonlyMap<string, string>
  }[]
  /** What must be let go of before something is deleted. */
  readonly first: readonly Command[]
  /** What goes into the vault, behind the writes. */
  readonly contents: readonly Command[]
  readonly limits: readonly UsageLimit[]
  /** What must still be there when it is written. */
  readonly requires: readonly ObjectKey[]
}

type Item = {
  readonly wish: Wish
  readonly live: Live
  readonly outcome: Outcome
  /** What goes into the vault with it, and the uid that this was sealed for. */
  readonly contents: readonly Command[]
  readonly requires: readonly ObjectKey[]
  readonly uid: string | undefined
  readonly instances: PlanBasis['instances']
  readonly sources?: ReadonlyMap<string, string>
}

/** What others refer to comes first. */
const order: readonly WrittenKindName[] = ['Tenant', 'Provider', 'Secret', 'Workload', 'Route']

export type PrepareDeps = WriteDeps & { readonly observed: ObservedFingerprint }

export async function prepare(
  deps: PrepareDeps,
  access: ObjectAccess,
  verb: 'read' | 'write',
  input: Input,
  call: Call,
): Promise<Prepared> {
  const wishes = readWishes(input.objects, input.tenant, 'accept')
  if (input.prune && input.tenant === undefined) throw withoutTenant()
  for (const { kind, key } of wishes) access.admit(kind, key.tenant, verb)
  if (input.prune) for (const kind of prunable) access.admit(kind, input.tenant, verb)
  const about = new Set(wishes.map(({ key }) => key.tenant))
  if (input.prune) about.add(input.tenant)
  const scope = about.size === 0 && input.tenant !== undefined ? { tenant: input.tenant } : access.scopeOf(about)
  const items = await Promise.all(
    wishes
      .toSorted((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind))
      .map(async (wish): Promise<Item> => {
        const live = await deps.store.read(scope, wish.key, call)
        return await sealedItem(deps, wish, live, input.by, call)
      }),
  )
  await checkReferences(deps, items, call)
  const pruned = input.prune
    ? await toPrune(deps, scope, String(input.tenant), input.prune.labelSelector, wishes, call)
    : []
  const writes = [...items.map(writeOf), ...pruned.map(pruneOf)]
  const generations = [...items.map(({ live }) => live), ...pruned].flatMap((object) =>
    object ? [{ object: keyOf(object), generation: object.metadata.generation }] : [],
  )
  const seen = (): Seen[] => [...items.map(seenOf), ...pruned.map(goneOf)]
  const plan = (): Plan => {
    const made = makePlan(
      writes.map(({ step }) => step),
      {
        desired: items.map(({ outcome }) => outcome.manifest),
        generations,
        instances: items.flatMap(({ instances }) => instances),
      },
    )
    return { ...made, hash: planHashOf(made.hash, seen()) }
  }
  return {
    scope,
    plan,
    seen,
    writes,
    limits: await limits(deps, items, about, call),
    first: (await Promise.all(pruned.map((object) => keptOnDelete(deps, keyOf(object), call)))).flat(),
    contents: items.flatMap(({ contents }) => contents),
    requires: [
      ...[...about].flatMap((tenant) => (tenant === undefined ? [] : [{ kind: 'Tenant', name: tenant }])),
      ...items.flatMap(({ requires }) => requires),
    ],
  }
}

/** The contents of files are taken out before anything is compared, planned or noted. */
async function sealedItem(
  { vault, observed }: PrepareDeps,
  wish: Wish,
  live: Live,
  by: string,
  call: Call,
): Promise<Item> {
  const { tenant, name } = wish.key
  if (wish.kind !== 'Workload' || tenant === undefined) {
    return { wish, live, outcome: mergeAt(wish, live, by), contents: [], requires: [], uid: undefined, instances: [] }
  }
  const uid = live?.metadata.uid ?? randomUUID()
  const { spec, commands, requires } = await at(wish, () =>
    sealWorkload(vault, { tenant, name, uid }, wish.manifest.spec, { live: live?.spec }, call),
  )
  const written = { ...wish.written, spec: withSameContents(wish.written.spec, spec) }
  const sealed = { ...wish, written, manifest: { ...wish.manifest, spec } }
  const instances = live ? await observed({ tenant, name, uid }, call) : []
  const sources = sourcesIn(wish.manifest.spec as WorkloadSpec, spec as WorkloadSpec)
  const outcome = mergeAt(sealed, live, by)
  return { wish: sealed, live, outcome, contents: commands, requires, uid, instances, ...(sources && { sources }) }
}

/** By reference, what a source said before it was sealed. */
function sourcesIn(plain: WorkloadSpec, sealed: WorkloadSpec): ReadonlyMap<string, string> | undefined {
  if (!plain.source) return undefined
  const references = new Map(sourceContents(sealed.source).map(({ name, content }) => [name, content]))
  return new Map(sourceContents(plain.source).map(({ name, content }) => [references.get(name) ?? content, content]))
}

/** A refusal says which of the objects it is about. */
async function at<T>({ index }: Wish, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isFault(error, 'invalid')) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: `objects[${index}].${issue.path}` }))
    throw new Fault(error.reason, error.message, { issues, cause: error })
  }
}

function mergeAt(wish: Wish, live: Live, by: string): Outcome {
  try {
    return outcomeOf(wish, live, by)
  } catch (error) {
    if (!isFault(error)) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: `objects[${wish.index}].${issue.path}` }))
    throw new Fault(error.reason, `${error.message}, once merged with what is there`, { issues, cause: error })
  }
}

async function checkReferences(deps: WriteDeps, items: readonly Item[], call: Call): Promise<void> {
  const providers = new Map(
    items.flatMap(({ wish, outcome }) =>
      wish.kind === 'Provider' ? [[wish.key.name, outcome.manifest.spec as ProviderSpec] as const] : [],
    ),
  )
  for (const { wish, outcome } of items) {
    const wanted = { kind: wish.kind, spec: outcome.manifest.spec, tenant: wish.key.tenant }
    await deps.references.check(wanted, call, providers)
  }
}

/** Of each tenant that is written to: as it will be, if it is among the objects. */
async function limits(deps: WriteDeps, items: readonly Item[], about: ReadonlySet<string | undefined>, call: Call) {
  const made = new Map(
    items.flatMap(({ wish, outcome }) =>
      wish.kind === 'Tenant' ? [[wish.key.name, outcome.manifest.spec] as const] : [],
    ),
  )
  const each = [...about].map(async (tenant): Promise<readonly UsageLimit[]> => {
    if (tenant === undefined) return items.some(({ wish }) => wish.kind === 'Provider') ? [defaultProviderLimit] : []
    const spec = made.get(tenant)
    return spec ? limitsOf(tenant, (spec as TenantSpec).quota) : await deps.tenants.limits(tenant, call)
  })
  return (await Promise.all(each)).flat()
}

function writeOf({ wish, live, outcome, contents, uid, sources }: Item) {
  const isNew = live === undefined && contents.length > 0
  const draft = draftOf(wish.kind, outcome.manifest, wish.key, outcome.notes, isNew ? uid : undefined)
  const command: Command = live
    ? { op: 'replace', draft, ifGeneration: live.metadata.generation }
    : { op: 'create', draft }
  const action = live === undefined ? 'create' : outcome.changes.length > 0 ? 'update' : 'keep'
  const { changes, reverts } = outcome
  const restarts = wish.kind === 'Workload' && action !== 'keep' ? effects(live?.spec, outcome.manifest.spec) : []
  const step: PlanStep = { action, object: wish.key, changes, reverts, restarts, engine: [] }
  return { command, index: wish.index, step, live, ...(sources && { sources }) }
}

function effects(before: unknown, after: unknown): string[] {
  return describeEffects(workloadEffects(before as WorkloadSpec | undefined, after as WorkloadSpec | undefined))
}

/** Kinds that files make; what the installation has is never taken away by a file that does not mention it. */
const prunable = (Object.keys(writtenKinds) as WrittenKindName[]).filter(
  (kind) => writtenKinds[kind].scope === 'tenant',
)
const mostPruned = 1000

async function toPrune(
  { store }: WriteDeps,
  scope: Scope,
  tenant: string,
  labelSelector: string,
  wishes: readonly Wish[],
  call: Call,
): Promise<GantryObject[]> {
  const kept = new Set(wishes.map(({ key }) => `${key.kind} ${key.tenant} ${key.name}`))
  const pages = prunable.map((kind) => store.list(scope, { kind, tenant, labelSelector, limit: mostPruned }, call))
  const found = (await Promise.all(pages)).flatMap(({ items }) => items)
  return found.filter(
    (object) =>
      lastAppliedNote in object.metadata.annotations &&
      object.metadata.deletionRequestedAt === undefined &&
      !kept.has(`${object.kind} ${tenant} ${object.metadata.name}`),
  )
}

function pruneOf(object: GantryObject) {
  const { uid, generation } = object.metadata
  const command: Command = { op: 'delete', key: keyOf(object), ifUid: uid, ifGeneration: generation }
  const changes = changesBetween(view(object), undefined)
  const restarts = object.kind === 'Workload' ? effects(object.spec, undefined) : []
  const step: PlanStep = { action: 'delete', object: keyOf(object), changes, reverts: [], restarts, engine: [] }
  return { command, index: undefined, step, live: object }
}

function seenOf({ wish, live, outcome, instances }: Item): Seen {
  const { labels, annotations } = outcome.manifest.metadata
  const desired = hashOf({ labels, annotations, spec: outcome.manifest.spec })
  return { object: wish.key, generation: live?.metadata.generation, desired, observed: hashOf(instances) }
}

const goneOf = (object: GantryObject): Seen => ({
  object: keyOf(object),
  generation: object.metadata.generation,
  desired: 'gone',
  observed: '',
})

function withoutTenant(): Fault {
  const message = 'is required to prune: only what is in one tenant is taken away'
  return new Fault('schema', `The request is not valid: tenant ${message}`, { issues: [{ path: 'tenant', message }] })
}
