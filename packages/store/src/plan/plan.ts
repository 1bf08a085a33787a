/** From a batch of commands and what is stored to the rows to write: pure, so both databases do exactly the same. */
import { Fault, isFault } from '@gantry/core'
import { nextEntry } from '../audit/chain.ts'
import type { Command, WriteContext } from '../command.ts'
import { isSystem, type Scope, tenantFor } from '../scope.ts'
import { Batch, type Environment, Missing, rowKey } from './batch.ts'
import { checkConditions, requiredRow } from './conditions.ts'
import { addFinalizer, remove, removeFinalizer } from './delete-object.ts'
import { netRows } from './net-rows.ts'
import type { AuditRow, Head, Known, Needs, RowKey, Rows, UsageRow } from './rows.ts'
import { create, type Effect, replace, status } from './write-object.ts'

export type WriteRequest = {
  readonly scope: Scope
  readonly commands: readonly Command[]
  readonly context: WriteContext
}

export type Planned = { readonly rows: Rows; readonly effects: readonly Effect[]; readonly head: Head }

/** What every batch of this shape must know; a plan may find that it needs more. */
export function firstNeeds({ scope, commands, context }: WriteRequest): Needs {
  const objects = commands.map((command) => rowKey(scope, 'draft' in command ? command.draft.key : command.key))
  const counted = new Set((context.limits ?? []).map((limit) => tenantFor(scope, limit.tenant)))
  const owners: RowKey[] = []
  for (const [at, command] of commands.entries()) {
    if (!('draft' in command)) continue
    const tenant = objects[at]?.tenant ?? ''
    if (command.draft.usage) counted.add(tenant)
    for (const { kind, name } of command.draft.ownerRefs ?? []) owners.push(rowKey(scope, { kind, tenant, name }))
  }
  for (const { tenant } of context.unused ?? []) counted.add(tenantFor(scope, tenant))
  for (const key of context.requires ?? []) objects.push(requiredRow(key))
  const lease = context.fence ? { lease: context.fence.lease } : {}
  return { objects: owners.length > 0 ? [...objects, ...owners] : objects, children: [], usage: [...counted], ...lease }
}

/** The plan, or what must be looked up before there can be one. Refusals are thrown. */
export function plan(request: WriteRequest, known: Known, head: Head, environment: Environment): Planned | Needs {
  try {
    const batch = new Batch(request.scope, known, head, environment)
    checkFence(request.context, known)
    const effects = request.commands.map((command, index) => numbered(index, batch, command))
    checkConditions(batch, request.context)
    const usage = countUsage(batch, request.context)
    const audit = auditRows(request, effects, head, environment.now)
    const last = audit.at(-1)
    return {
      rows: { ...netRows(batch, head.compacted), usage, audit },
      effects,
      head: {
        version: batch.version,
        compacted: head.compacted,
        auditSequence: last?.sequence ?? head.auditSequence,
        auditHash: last?.hash ?? head.auditHash,
      },
    }
  } catch (error) {
    if (error instanceof Missing) return error.needs
    throw error
  }
}

function apply(batch: Batch, command: Command): Effect {
  switch (command.op) {
    case 'create':
      return create(batch, command)
    case 'replace':
      return replace(batch, command)
    case 'status':
      return status(batch, command)
    case 'delete':
      return remove(batch, command)
    case 'addFinalizer':
      return addFinalizer(batch, command)
    case 'removeFinalizer':
      return removeFinalizer(batch, command)
    default:
      return command satisfies never
  }
}

/** A refusal says which of the commands it is about. */
function numbered(index: number, batch: Batch, command: Command): Effect {
  try {
    return apply(batch, command)
  } catch (error) {
    if (!isFault(error)) throw error
    const place = `commands[${index}]`
    const issues = error.issues.map((issue) => ({ ...issue, path: `${place}.${issue.path}` }))
    const more = error.detail === undefined ? {} : { detail: error.detail }
    throw new Fault(error.reason, error.message, {
      ...more,
      issues: issues.length > 0 ? issues : [{ path: place, message: error.message }],
      cause: error.cause,
    })
  }
}

function checkFence({ fence }: WriteContext, { lease }: Known): void {
  if (!fence || (lease && lease.holder !== '' && lease.epoch === fence.epoch)) return
  throw new Fault('stale_fence', `The lease "${fence.lease}" is no longer held in epoch ${fence.epoch}; stop this work`)
}

function countUsage(batch: Batch, { limits = [] }: WriteContext): UsageRow[] {
  const rows: UsageRow[] = []
  for (const [tenant, counters] of batch.deltas) {
    for (const [counter, delta] of counters) {
      if (delta !== 0n) rows.push({ tenant, counter, used: batch.usedBefore(tenant, counter) + delta })
    }
  }
  for (const { tenant, counter, limit } of limits) {
    const at = tenantFor(batch.scope, tenant)
    const asked = batch.deltas.get(at)?.get(counter) ?? 0n
    const used = batch.usedBefore(at, counter)
    if (asked <= 0n || used + asked <= limit) continue
    const message = `limit ${limit}, used ${used}, asked ${asked} more`
    throw new Fault(
      'quota_exceeded',
      `The quota of tenant "${tenant}" for ${counter} does not allow this: ${message}`,
      {
        issues: [{ path: `limits.${counter}`, message }],
      },
    )
  }
  return rows
}

function auditRows({ scope, context }: WriteRequest, effects: readonly Effect[], head: Head, now: number): AuditRow[] {
  if (!context.audit) return []
  // A tenant's own entries are the tenant's, whatever the draft says.
  const draft = isSystem(scope) ? context.audit : { ...context.audit, tenant: scope.tenant }
  const done = effects.map(({ did, stored: { object } }) => ({
    key: {
      kind: object.kind,
      ...(object.metadata.tenant === undefined ? {} : { tenant: object.metadata.tenant }),
      name: object.metadata.name,
    },
    uid: object.metadata.uid,
    did,
    version: object.metadata.resourceVersion,
  }))
  return [nextEntry(head, draft, done, now)]
}
