/** PUT, PATCH and DELETE of one object. Each is computed on what was read and written over exactly that, or tried again. */
import { randomUUID } from 'node:crypto'
import {
  type Call,
  type Change,
  Fault,
  type GantryObject,
  isFault,
  type KindName,
  kinds,
  type Manifest,
  mergePatch,
  type ObjectKey,
} from '@gantry/core'
import type { Command, CommandResult, Scope, Store, SystemScope, UsageLimit, WriteContext } from '@gantry/store'
import type { Conditions, Recording } from '../app/request.ts'
import { readToken, revokeCommands, tokenKind } from '../auth/tokens.ts'
import type { EventRecorder } from '../events/recorder.ts'
import { defaultProviderLimit } from '../providers/default-provider.ts'
import type { Tenants } from '../quota/tenants.ts'
import type { Vault } from '../vault/vault.ts'
import { keepVersionsInUse } from '../vault/versions-in-use.ts'
import { sealWorkload } from '../vault/workload-contents.ts'
import { ownNotes, view } from './annotations.ts'
import { askedByNotes } from './asked-by.ts'
import { auditDetail, changesBetween, withChangedBy } from './changes.ts'
import { describe, draftOf } from './draft.ts'
import type { References } from './references.ts'
import { inCallersWords } from './store-faults.ts'

export type WriteDeps = {
  readonly store: Store
  readonly scope: SystemScope
  readonly tenants: Tenants
  readonly references: References
  readonly events: EventRecorder
  readonly vault: Pick<Vault, 'sealContents'>
}

export type WriteRequest = {
  readonly kind: KindName
  readonly key: ObjectKey
  readonly scope: Scope
  readonly conditions: Conditions
  readonly recording: Recording
  readonly by: string
  /** Why, in their words. */
  readonly message?: string | undefined
  readonly signal: AbortSignal
}

/** How often somebody else may be faster before it is told as a conflict. */
const tries = 10

/** `body`: as the pipeline let it through, which has held it to the envelope of its kind. */
export async function putObject(deps: WriteDeps, request: WriteRequest, body: unknown): Promise<CommandResult> {
  const { kind, key, conditions } = request
  const manifest = kinds[kind].accept(body)
  checkPlace(manifest, key)
  await deps.references.check({ kind, spec: manifest.spec, tenant: key.tenant }, request)
  const limits = await limitsFor(deps, key, request)
  return await again(request, async () => {
    const before = await deps.store.read(request.scope, key, request)
    checkIdentity(manifest, before, key)
    return await replace(deps, request, limits, conditions.ifNoneMatch ? undefined : before, manifest)
  })
}

export function patchObject(deps: WriteDeps, request: WriteRequest, patch: unknown): Promise<CommandResult> {
  return patchObjectWith(deps, request, () => ({ patch }))
}

export type Patched = {
  readonly patch: unknown
  /** A release whose contents the patch refers to. */
  readonly release?: unknown
}

/** The patch is made from the object as it is, anew each time that somebody else was faster. */
export async function patchObjectWith(
  deps: WriteDeps,
  request: WriteRequest,
  patchOf: (before: GantryObject) => Patched | Promise<Patched>,
): Promise<CommandResult> {
  const { kind, key } = request
  const limits = await limitsFor(deps, key, request)
  return await again(request, async () => {
    const before = await deps.store.read(request.scope, key, request)
    if (!before) throw absent(key)
    const { patch, release } = await patchOf(before)
    const { apiVersion, metadata, spec } = view(before)
    const { labels, annotations } = metadata
    const place = { name: key.name, ...(key.tenant !== undefined && { tenant: key.tenant }) }
    const patched = mergePatch({ metadata: { labels, annotations }, spec }, patch) as Record<string, object>
    const whole = { apiVersion, kind, ...patched, metadata: { ...patched.metadata, ...place } }
    const manifest = kinds[kind].parse(whole)
    await deps.references.check({ kind, spec: manifest.spec, tenant: key.tenant }, request)
    return await replace(deps, request, limits, before, manifest, release)
  })
}

/** What goes with the deletion of an object as it was read, in one batch; `detail` is for the record. */
export type Besides = { readonly commands: readonly Command[]; readonly detail: Readonly<Record<string, unknown>> }

export async function deleteObject(
  deps: WriteDeps,
  request: WriteRequest,
  besidesOf?: (before: GantryObject) => Besides,
): Promise<CommandResult> {
  const { kind, key, conditions } = request
  return await again(request, async () => {
    const before = await deps.store.read(request.scope, key, request)
    if (!before) throw absent(key)
    const besides = besidesOf?.(before)
    const { ifMatch } = conditions
    const command: Command = {
      op: 'delete',
      key,
      ifUid: before.metadata.uid,
      ...(ifMatch !== undefined && { ifGeneration: ifMatch }),
    }
    const tokens = kind === 'Tenant' ? await tokensOf(deps, key.name, request) : []
    const unused = kind === 'Tenant' ? [{ tenant: key.name, counters: missed }] : []
    const kept = await keptOnDelete(deps, key, request)
    const after = [...kept, ...(besides?.commands ?? [])]
    const changes = changesBetween(before, undefined)
    return await write(deps, request, [command, ...tokens], { unused, after }, changes, besides?.detail)
  })
}

/** What must be let go of before an object is deleted, or it would go too. */
export async function keptOnDelete(deps: WriteDeps, { kind, tenant, name }: ObjectKey, call: Call): Promise<Command[]> {
  return kind === 'Secret' && tenant !== undefined ? await keepVersionsInUse(deps, { tenant, name }, call) : []
}

/** What a tenant cannot go with: it would be gone too, and somebody would miss it. */
const missed = ['workloads', 'secrets'] as const

/** Tokens of a tenant that goes are revoked with it. */
async function tokensOf({ store, scope }: WriteDeps, tenant: string, call: Call): Promise<Command[]> {
  const { items } = await store.list(scope, { kind: tokenKind, tenant, limit: 5000 }, call)
  const tokens = await Promise.all(items.map(({ metadata }) => readToken(store, scope, tenant, metadata.name, call)))
  return tokens.flatMap(revokeCommands)
}

async function replace(
  deps: WriteDeps,
  request: WriteRequest,
  limits: readonly UsageLimit[],
  before: GantryObject | undefined,
  wanted: Manifest,
  release?: unknown,
): Promise<CommandResult> {
  const { kind, key, by, message, conditions } = request
  const { manifest, contents, requires, uid } = await sealed(deps, request, { before, release }, wanted)
  const changes = changesBetween(before, manifest)
  const notes = {
    ...(before && ownNotes(before.metadata.annotations)),
    ...(before && changes.length > 0 && withChangedBy(before, changes, by)),
    ...askedByNotes(kind, { before, after: manifest.spec }, { by, ...(message !== undefined && { message }) }),
  }
  const draft = draftOf(kind, manifest, key, notes, uid)
  const ifGeneration = conditions.ifMatch ?? before?.metadata.generation
  const command: Command =
    ifGeneration === undefined ? { op: 'create', draft } : { op: 'replace', draft, ifGeneration, ifAbsent: 'refuse' }
  return await write(
    deps,
    request,
    [command, ...contents],
    { limits, requires: [...homeOf(key), ...requires] },
    changes,
  )
}

type Sealed = {
  readonly manifest: Manifest
  readonly contents: readonly Command[]
  readonly requires: readonly ObjectKey[]
  readonly uid?: string
}

/** The contents of files do not go into the store; see `vault/workload-contents.ts`. */
async function sealed(
  { vault }: WriteDeps,
  { kind, key, signal }: WriteRequest,
  { before, release }: { readonly before: GantryObject | undefined; readonly release: unknown },
  manifest: Manifest,
): Promise<Sealed> {
  const { tenant, name } = key
  if (kind !== 'Workload' || tenant === undefined) return { manifest, contents: [], requires: [] }
  const uid = before?.metadata.uid ?? randomUUID()
  const owner = { tenant, name, uid }
  const { spec, commands, requires } = await sealWorkload(
    vault,
    owner,
    manifest.spec,
    { live: before?.spec, release },
    { signal },
  )
  return { manifest: { ...manifest, spec }, contents: commands, requires, ...(commands.length > 0 && { uid }) }
}

type Conditioned = Pick<WriteContext, 'limits' | 'requires' | 'unused'> & {
  /** What has to be done first, in the same batch. */
  readonly after?: readonly Command[]
}

async function write(
  { store, events }: WriteDeps,
  { scope, key, recording, by, signal }: WriteRequest,
  commands: readonly Command[],
  { after = [], ...conditions }: Conditioned,
  changes: readonly Change[],
  more: Besides['detail'] = {},
): Promise<CommandResult> {
  const audit = recording.draft({ target: key, detail: { ...more, ...auditDetail(changes) } })
  try {
    const { results } = await store.write(scope, [...after, ...commands], { audit, ...conditions }, { signal })
    const result = results[after.length]
    if (!result) throw new Fault('unexpected', 'The store has written, and says nothing about it')
    events.wrote(result, by)
    return result
  } catch (error) {
    throw isFault(error) ? inCallersWords(error, () => '') : error
  }
}

/** Somebody else was faster: look again, unless the caller said what it must be. */
async function again(request: WriteRequest, attempt: () => Promise<CommandResult>): Promise<CommandResult> {
  const { ifMatch, ifNoneMatch } = request.conditions
  for (let left = tries; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      const isRace = isFault(error) && isOvertaken(error)
      if (!isRace || left <= 1 || ifMatch !== undefined || ifNoneMatch) throw error
    }
  }
}

/** Something that was read has changed before it was written to, or what it refers to was forgotten. */
export function isOvertaken({ reason, issues }: Fault): boolean {
  if (reason === 'generation_conflict' || reason === 'already_exists') return true
  return reason === 'object_not_found' && issues.some(({ path }) => path.startsWith('requires['))
}

async function limitsFor(
  { tenants }: WriteDeps,
  { kind, tenant }: ObjectKey,
  call: Call,
): Promise<readonly UsageLimit[]> {
  if (tenant !== undefined) return await tenants.limits(tenant, call)
  return kind === 'Provider' ? [defaultProviderLimit] : []
}

/** The tenant that an object lies in must still be there when it is written, and not only when it was looked at. */
export function homeOf({ tenant }: ObjectKey): readonly ObjectKey[] {
  return tenant === undefined ? [] : [{ kind: 'Tenant', name: tenant }]
}

/** The address says where it goes; a body that says otherwise was meant for somewhere else. */
function checkPlace({ metadata }: Manifest, key: ObjectKey): void {
  const wrong = [
    ...(metadata.name === key.name ? [] : [{ path: 'metadata.name', message: `must be "${key.name}", as in the URL` }]),
    ...(metadata.tenant === undefined || metadata.tenant === key.tenant
      ? []
      : [{ path: 'metadata.tenant', message: `must be absent or "${key.tenant}", as in the URL` }]),
  ]
  if (wrong.length > 0) throw new Fault('schema', 'The object is not the one that the URL names', { issues: wrong })
}

function checkIdentity({ metadata: { uid } }: Manifest, before: GantryObject | undefined, key: ObjectKey): void {
  if (uid === undefined || uid === before?.metadata.uid) return
  throw new Fault(
    'object_not_found',
    `${describe(key)} with the uid of the file does not exist; it was made anew since`,
  )
}

export function absent(key: ObjectKey): Fault {
  return new Fault('object_not_found', `${describe(key)} does not exist`)
}
