/** A vault in memory, which keeps every version it ever had. */
import { Fault, Secret } from '@gantry/core'
import type { SecretSource } from '../secret-source.ts'

export type TestSecrets = SecretSource & {
  /** Writes a new version of each of these keys. */
  put(name: string, values: Readonly<Record<string, string>>): void
}

export function testSecrets(): TestSecrets {
  const values = new Map<string, Secret[]>()
  return {
    put(name, data) {
      for (const [key, value] of Object.entries(data)) {
        const id = `${name}/${key}`
        values.set(id, [...(values.get(id) ?? []), new Secret(value)])
      }
    },
    async resolve({ name, key, version }, { signal }) {
      signal.throwIfAborted()
      const versions = values.get(`${name}/${key}`) ?? []
      const number = version === undefined ? versions.length : Number(version)
      const value = versions[number - 1]
      if (!value) throw new Fault('secret_not_found', `There is no secret ${name} with ${key} in version ${number}`)
      return { version: String(number), value }
    },
  }
}
