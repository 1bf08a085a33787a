/** Pure: what stands in the way of a whole set until somebody changes something, as it is shown. */
import { type FaultReason, isFault } from '@gantry/core'
import type { Refusal } from '../../tended/troubles.ts'

const refusals: ReadonlySet<FaultReason> = new Set([
  'bad_document',
  'field_unsupported',
  'foreign_object',
  'engine_rejected',
  'engine_full',
  'engine_object_conflict',
  'engine_object_not_found',
  'engine_forbidden',
])

/** `undefined`: it was something else, which may pass by itself. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!isFault(error) || !refusals.has(error.reason)) return undefined
  return { reason: error.reason, message: error.message }
}
