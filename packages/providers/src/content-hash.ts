/** Equal content, equal hash: whatever the order of keys, and never from the value of a secret. */
import { createHash } from 'node:crypto'

export function contentHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content, sortedKeys)).digest('hex').slice(0, 32)
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
