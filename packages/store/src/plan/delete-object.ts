/** Deletion: asked for, held up by finalizers, and passed on to everything that was owned. */
import { Fault } from '@gantry/core'
import type { Command } from '../command.ts'
import type { Batch } from './batch.ts'
import { describe } from './drafts.ts'
import type { Stored } from './rows.ts'
import { absent, checkGeneration, type Effect } from './write-object.ts'

type Of<Op extends Command['op']> = Extract<Command, { op: Op }>

export function remove(batch: Batch, command: Of<'delete'>): Effect {
  const before = find(batch, command)
  checkGeneration(command.key, before, command.ifGeneration)
  const effect = requestDeletion(batch, before)
  if (effect.did === 'deleted') cascade(batch, effect.stored)
  return effect
}

export function addFinalizer(batch: Batch, command: Of<'addFinalizer'>): Effect {
  const before = find(batch, command)
  const { metadata } = before.object
  if (metadata.finalizers.includes(command.finalizer)) return unchanged(before)
  if (metadata.deletionRequestedAt !== undefined) {
    throw new Fault('being_deleted', `${describe(command.key)} is being deleted; nothing new may hold on to it`)
  }
  return withFinalizers(batch, before, [...metadata.finalizers, command.finalizer])
}

export function removeFinalizer(batch: Batch, command: Of<'removeFinalizer'>): Effect {
  const before = find(batch, command)
  const { metadata } = before.object
  if (!metadata.finalizers.includes(command.finalizer)) return unchanged(before)
  const finalizers = metadata.finalizers.filter((one) => one !== command.finalizer)
  if (metadata.deletionRequestedAt === undefined || finalizers.length > 0)
    return withFinalizers(batch, before, finalizers)
  const last = { ...before.object, metadata: { ...metadata, finalizers } }
  const effect: Effect = { did: 'deleted', ...batch.record('gone', before.key, last, before.usage) }
  cascade(batch, effect.stored)
  return effect
}

function find(batch: Batch, command: Of<'delete' | 'addFinalizer' | 'removeFinalizer'>): Stored {
  const before = batch.get(batch.keyOf(command.key))
  // Another object under the same name is not the one that was meant; that one is gone.
  if (!before || (command.ifUid !== undefined && before.object.metadata.uid !== command.ifUid))
    throw absent(command.key)
  return before
}

const unchanged = (stored: Stored): Effect => ({ did: 'unchanged', stored, body: undefined })

function withFinalizers(batch: Batch, before: Stored, finalizers: readonly string[]): Effect {
  const { object, key, usage } = before
  const next = { ...object, metadata: { ...object.metadata, finalizers } }
  return { did: 'configured', ...batch.record('put', key, next, usage) }
}

function requestDeletion(batch: Batch, before: Stored): Effect {
  const { metadata } = before.object
  if (metadata.deletionRequestedAt !== undefined) return unchanged(before)
  const deletionRequestedAt = new Date(batch.environment.now).toISOString()
  const object = { ...before.object, metadata: { ...metadata, deletionRequestedAt } }
  const isHeld = metadata.finalizers.length > 0
  return {
    did: isHeld ? 'deleting' : 'deleted',
    ...batch.record(isHeld ? 'put' : 'gone', before.key, object, before.usage),
  }
}

/** What a removed object owned is asked to go as well, generation by generation, in the same transaction. */
function cascade(batch: Batch, removed: Stored): void {
  let uids = [removed.object.metadata.uid]
  while (uids.length > 0) {
    const next: string[] = []
    for (const key of batch.childrenOf(uids)) {
      const child = batch.get(key)
      if (child && requestDeletion(batch, child).did === 'deleted') next.push(child.object.metadata.uid)
    }
    uids = next
  }
}
