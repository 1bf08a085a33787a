/** Equal content, equal text. By the machine's own digest: that of core runs in browsers too, and takes its time at first. */
import { createHash } from 'node:crypto'
import { canonicalJson } from '@gantry/core'

export const shortHash = (content: unknown): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, 16)
