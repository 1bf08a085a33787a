/** The one way in: sets of manifests on one cluster. */
import type { ManifestSets, SetOptions } from './manifests.ts'

/** Watches begin with the first question; `close` ends them. */
export function manifestSets(_options: SetOptions): ManifestSets {
  throw new Error('not written yet')
}
