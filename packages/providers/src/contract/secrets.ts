/** A vault in memory, which keeps every version it ever had. */
import { Fault, Secret } from '@gantry/core'
import type { SecretSource } from '../secret-source.ts'

export type TestSecrets = SecretSource & {
  /** Writes a new version of the secret, whole. */
  put(name: string, values: Readonly<Record<string, string>>): void
}

export function testSecrets(): TestSecrets {
  const secrets = new Map<string, Record<string, Secret>[]>()
  return {
    put(name, data) {
      const values = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, new Secret(value)]))
      secrets.set(name, [...(secrets.get(name) ?? []), values])
    },
    async resolve({ name, key, version }, { signal }) {
      signal.throwIfAborted()
      const versions = secrets.get(name) ?? []
      const number = version ?? versions.length
      const value = versions[number - 1]?.[key]
      if (!value) throw new Fault('secret_not_found', `There is no secret ${name} with ${key} in version ${number}`)
      return { version: number, value }
    },
  }
}
