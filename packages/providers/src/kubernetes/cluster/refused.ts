/** Pure: what the cluster refuses to an instance as a whole, in a sentence; `undefined`: it was something else. */
import { isFault } from '@gantry/core'
import type { Refusal } from '../../tended/troubles.ts'

/** An object is wrong for this cluster (admission, limits), or there is no room for it (quota). */
const refusals: ReadonlySet<string> = new Set(['engine_rejected', 'engine_full'])

export function refused(error: unknown): Refusal | undefined {
  if (!isFault(error) || !refusals.has(error.reason)) return undefined
  return { reason: 'rollout_stalled', message: error.message }
}
