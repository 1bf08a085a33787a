/** Pure: what the daemon refuses to an instance as a whole. What is somebody else's, and a daemon out of reach, is no refusal. */
import { isFault } from '@gantry/core'
import type { Refusal } from '../tended/troubles.ts'

const refusals: ReadonlySet<string> = new Set([
  'engine_full',
  'engine_refused',
  'engine_rejected',
  'engine_object_conflict',
  'engine_object_exists',
  'engine_object_not_found',
  'port_in_use',
])

/** `undefined`: it was something else. */
export function refused(error: unknown): Refusal | undefined {
  if (!isFault(error) || !refusals.has(error.reason)) return undefined
  const { reason, message } = error
  return { reason, message }
}
