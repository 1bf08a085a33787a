/** A configuration as a short text that differs when, and only when, the configuration does. */
import { hashOf } from '@gantry/core'

/** Short enough for an annotation or a label. The order of keys makes no difference; a secret inside is refused. */
export function configHash(config: unknown): string {
  return hashOf(config).slice(0, 32)
}
