/** What the vault keeps in the store, in kinds of its own that no route knows. */
import { type Call, Fault, type GantryObject, type ObjectKey } from '@gantry/core'
import type { Store } from '@gantry/store'
import type { Envelope, Place } from './envelope.ts'

export const vaultKinds = {
  /** One for each secret that ever was, by its name: what must outlive it. */
  ledger: 'VaultLedger',
  /** One for each version of a secret. */
  version: 'VaultVersion',
  /** One for each tenant that ever had contents. */
  contentLedger: 'VaultContentLedger',
  content: 'VaultContent',
  /** The only one: which master key is in use. */
  state: 'VaultState',
} as const

export type SealedSpec = { readonly envelope: Envelope }

export type LedgerSpec = SealedSpec & {
  /** The last number that was given. */
  readonly last: number
}

export type VersionSpec = SealedSpec & {
  readonly secret: string
  readonly version: number
}

export type StateSpec = { readonly masterKey: string }

/** No name of ours holds a dot, so no two secrets share a row. */
export const versionKey = (tenant: string, secret: string, version: number): ObjectKey => ({
  kind: vaultKinds.version,
  tenant,
  name: `${secret}.v${version}`,
})

export const ledgerKey = (tenant: string, secret: string): ObjectKey => ({
  kind: vaultKinds.ledger,
  tenant,
  name: secret,
})

export const contentLedgerKey = (tenant: string): ObjectKey => ({
  kind: vaultKinds.contentLedger,
  tenant,
  name: 'contents',
})

export const contentKey = (tenant: string, owner: string, reference: string): ObjectKey => ({
  kind: vaultKinds.content,
  tenant,
  name: `${owner}.${reference}`,
})

export const stateKey: ObjectKey = { kind: vaultKinds.state, name: 'vault' }

/** From the key that was asked for, never from what the row says of itself. */
export const placeOf = ({ kind, tenant = '', name }: ObjectKey): Place => [kind, tenant, name]

/** Read in the scope of its tenant: even a wrong key cannot lead elsewhere. */
export async function readRow<Spec>(store: Store, key: ObjectKey, call: Call): Promise<GantryObject<Spec> | undefined> {
  if (key.tenant === undefined) throw new Fault('unexpected', 'A sealed value belongs to a tenant')
  const found = await store.read({ tenant: key.tenant }, key, call)
  return found as GantryObject<Spec> | undefined
}
