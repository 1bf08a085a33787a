/** Create, replace and status: the commands that say what an object is. */
import { Fault, type GantryObject, type ObjectKey } from '@gantry/core'
import type { Command, Did, Draft } from '../command.ts'
import { isoTime } from '../iso-time.ts'
import { sameJson } from '../same-json.ts'
import type { Batch } from './batch.ts'
import { sameLabels } from './batch.ts'
import { checkDraft, checkOwners, checkPlace, describe } from './drafts.ts'
import type { RowKey, Stored } from './rows.ts'

/** What a command came to; `body` is the object as stored, `undefined` where nothing was written. */
export type Effect = { readonly did: Did; readonly stored: Stored; readonly body: string | undefined }

type Of<Op extends Command['op']> = Extract<Command, { op: Op }>

export function create(batch: Batch, { draft }: Of<'create'>): Effect {
  checkDraft(draft)
  const key = batch.keyOf(draft.key)
  checkPlace(draft.key, key)
  if (batch.get(key)) throw new Fault('already_exists', `${describe(draft.key)} exists already`)
  return make(batch, key, draft)
}

function make(batch: Batch, key: RowKey, draft: Draft): Effect {
  checkOwners(batch, key, draft.ownerRefs ?? [])
  const { kind, name, tenant } = draft.key
  const object: GantryObject = {
    apiVersion: 'gantry/v1',
    kind,
    metadata: {
      name,
      ...(tenant === undefined ? {} : { tenant }),
      uid: draft.uid ?? batch.environment.ids(),
      labels: draft.labels ?? {},
      annotations: draft.annotations ?? {},
      generation: 1,
      resourceVersion: batch.version + 1,
      ownerRefs: draft.ownerRefs ?? [],
      finalizers: draft.finalizers ? [...new Set(draft.finalizers)] : [],
      createdAt: isoTime(batch.environment.now),
    },
    spec: draft.spec,
    status: draft.status ?? {},
  }
  return { did: 'created', ...batch.record('put', key, object, draft.usage ?? {}) }
}

export function replace(batch: Batch, { draft, ifGeneration, ifAbsent }: Of<'replace'>): Effect {
  checkDraft(draft)
  const key = batch.keyOf(draft.key)
  const before = batch.get(key)
  if (!before) {
    if (ifAbsent !== 'create' || ifGeneration !== undefined) throw absent(draft.key)
    checkPlace(draft.key, key)
    return make(batch, key, draft)
  }
  checkGeneration(draft.key, before, ifGeneration)
  const { metadata, spec } = before.object
  const labels = draft.labels ?? {}
  const annotations = draft.annotations ?? {}
  const ownerRefs = draft.ownerRefs ?? metadata.ownerRefs
  const usage = draft.usage ?? before.usage
  const sameSpec = sameJson(spec, draft.spec)
  const sameOwners = sameJson(metadata.ownerRefs, ownerRefs)
  const same =
    sameSpec && sameOwners && sameLabels(metadata.labels, labels) && sameLabels(metadata.annotations, annotations)
  if (same && sameUsage(before.usage, usage)) return { did: 'unchanged', stored: before, body: undefined }
  if (metadata.deletionRequestedAt !== undefined) {
    throw new Fault('being_deleted', `${describe(draft.key)} is being deleted; make it anew once it is gone`)
  }
  if (!sameOwners) checkOwners(batch, key, ownerRefs)
  const generation = sameSpec ? metadata.generation : metadata.generation + 1
  const next = {
    ...before.object,
    metadata: { ...metadata, labels, annotations, ownerRefs, generation },
    spec: draft.spec,
  }
  return { did: 'configured', ...batch.record('put', key, next, usage) }
}

export function status(batch: Batch, command: Of<'status'>): Effect {
  const key = batch.keyOf(command.key)
  const before = batch.get(key)
  if (!before) throw absent(command.key)
  const { resourceVersion } = before.object.metadata
  if (resourceVersion !== command.ifVersion) {
    const message = `${describe(command.key)} is at version ${resourceVersion}, not ${command.ifVersion}; read it again`
    throw new Fault('version_conflict', message)
  }
  if (sameJson(before.object.status, command.status, batch.environment.ageFields(key.kind))) {
    return { did: 'unchanged', stored: before, body: undefined }
  }
  return { did: 'configured', ...batch.record('put', key, { ...before.object, status: command.status }, before.usage) }
}

export function checkGeneration(key: ObjectKey, before: Stored, expected: number | undefined): void {
  const { generation } = before.object.metadata
  if (expected === undefined || expected === generation) return
  const message = `${describe(key)} is at generation ${generation}, not ${expected}; somebody changed it, so look again`
  throw new Fault('generation_conflict', message)
}

export function absent(key: ObjectKey): Fault {
  return new Fault('object_not_found', `${describe(key)} does not exist`)
}

/** Using nothing and not being counted are the same. */
function sameUsage(a: Stored['usage'], b: Stored['usage']): boolean {
  return Object.keys({ ...a, ...b }).every((counter) => (a[counter] ?? 0n) === (b[counter] ?? 0n))
}
