/**
 * Equal content, equal hash, short enough for a label on any engine. A secret in it is refused: hashes are shown. The same as
 * `hashOf` says, by what Node has for it: passes hash all that they apply, again and again.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@gantry/core'

export const contentHash = (content: unknown): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, 32)
