/** A master key that is gone with the process, for a vault that is too. */
import { randomBytes } from 'node:crypto'
import { type KeyRing, parseKeyRing } from './key-ring.ts'
import type { KeySource } from './key-source.ts'

export function memoryKeys(): KeySource {
  let text = newKey()
  const ring = (): KeyRing => parseKeyRing(text, 'memory')
  return {
    load: async () => ring(),
    async addKey() {
      text = `${newKey()} ${text}`
      return ring()
    },
  }
}

const newKey = (): string => randomBytes(32).toString('base64')
