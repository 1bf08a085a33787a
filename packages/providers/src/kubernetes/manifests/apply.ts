/** Applies objects of one wave. What the cluster refuses is gathered, so that all of it is told at once. */
import { type Call, Fault, type FaultReason, type Issue, isFault } from '@gantry/core'
import type { ObjectsApi } from '../api/api.ts'
import { wordsOf } from '../api/faults.ts'
import type { KubeObject } from '../api/types/meta.ts'
import type { Body } from './body.ts'
import { forMany } from './many.ts'
import type { Placed } from './place.ts'
import { wishes } from './read/read-set.ts'
import { fieldManager } from './record/record.ts'
import { pathOf } from './set-object.ts'

export type Wanted = Placed & { readonly body: Body }

type Refused = { readonly wanted: Wanted; readonly fault: Fault }

export type Applied = { readonly objects: ReadonlyMap<string, KubeObject>; readonly refused: readonly Refused[] }

/** Said of one object; whatever else goes wrong ends the whole. */
const gathered: ReadonlySet<FaultReason> = new Set([
  'engine_object_conflict',
  'engine_rejected',
  'engine_full',
  'engine_object_not_found',
])

export async function applyWave(api: ObjectsApi, wave: readonly Wanted[], call: Call): Promise<Applied> {
  const objects = new Map<string, KubeObject>()
  const refused: Refused[] = []
  await forMany(wave, async (wanted) => {
    const { at, body, id } = wanted
    try {
      objects.set(id, await api.apply(at, body.object, { fieldManager, force: body.force }, call))
    } catch (error) {
      if (!isFault(error) || !gathered.has(error.reason)) throw error
      refused.push({ wanted, fault: error })
    }
  })
  return { objects, refused }
}

/** One fault for all that was refused, with an issue for each field. */
export function refusalOf(refused: readonly Refused[]): Fault {
  const order = [...refused].sort((left, right) => left.wanted.set.document - right.wanted.set.document)
  const issues = order.flatMap(({ wanted: { set }, fault }): Issue[] => {
    const path = pathOf(set)
    if (fault.issues.length === 0) return [{ path, message: wordsOf(fault), line: set.line }]
    return fault.issues.map((issue) => ({
      path: issue.path === '' ? path : `${path} ${issue.path}`,
      message: issue.message,
      line: set.line,
    }))
  })
  const reason = order.find(({ fault }) => fault.reason !== 'engine_object_conflict')?.fault.reason
  const list = issues
    .slice(0, 5)
    .map(({ path, message }) => `${path} ${message}`)
    .join('; ')
  const more = issues.length > 5 ? ` (and ${issues.length - 5} more)` : ''
  const isConflict = order.some(({ fault }) => fault.reason === 'engine_object_conflict')
  const advice = isConflict
    ? `. Leave out what others manage, or annotate the object with ${wishes.conflicts}: overwrite to take it`
    : ''
  const message = `The cluster refused ${refused.length === 1 ? 'an object' : `${refused.length} objects`} of the set: ${list}${more}${advice}`
  return new Fault(reason ?? 'engine_object_conflict', message, {
    issues,
    detail: order.map(({ fault }) => fault.detail ?? fault.message).join('\n'),
  })
}
