/** The way out: what a provider asks for values, and nobody else. */
import type { SecretSource } from '@gantry/providers'
import type { Vault } from './vault.ts'

export function secretSource(vault: Pick<Vault, 'resolve'>): SecretSource {
  return { resolve: (wanted, call) => vault.resolve(wanted, call) }
}
