/** The vault over a store and a source of master keys. */
import { type Call, type Clock, Fault, type GantryObject, isFault } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'
import { openContent, removeContents, sealContents } from './contents.ts'
import { unknownKey } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import type { KeySource } from './key-source.ts'
import { mergeVersion } from './merge-version.ts'
import { resealAll } from './rotate.ts'
import { type StateSpec, stateKey } from './rows.ts'
import { putVersion, readSecret, removeVersions, resolveValue, type VaultContext } from './secrets.ts'
import type { Rotated, Vault } from './vault.ts'

export type VaultOptions = {
  readonly store: Store
  /** For what belongs to no tenant: which master key is in use, and its rotation. Values are read as their tenant. */
  readonly scope: SystemScope
  readonly keys: KeySource
  readonly clock: Clock
}

/** Refuses to begin with keys that do not open what is sealed: `master_key_unknown`. */
export async function openVault({ store, scope, keys, clock }: VaultOptions, call: Call): Promise<Vault> {
  let ring = await firstKeys(store, scope, keys, call)
  const context: VaultContext = { store, ring: () => ring, now: () => clock.now() }

  const rotate = async (during: Call): Promise<Rotated> => {
    const state = await readState(store, scope, during)
    // A rotation that was interrupted is finished before another key is made.
    if (keys.addKey && state?.spec.masterKey === ring.newest.id) ring = await keys.addKey(during)
    const resealed = await resealAll(store, scope, ring, during)
    await writeState(store, scope, ring, during)
    return { resealed, keyId: ring.newest.id }
  }

  return {
    put: (secret, values, during) => putVersion(context, secret, values, during),
    merge: (secret, change, during) => mergeVersion(context, secret, change, during),
    list: async (secret, during) => (await readSecret(store, secret, during))?.status.versions ?? [],
    resolve: (wanted, during) => resolveValue(context, wanted, during),
    remove: async (secret, versions, { signal }) => {
      signal.throwIfAborted()
      return removeVersions(secret, versions)
    },
    sealContents: (owner, contents, during) => sealContents(context, owner, contents, during),
    openContent: (owner, name, reference, during) => openContent(context, owner, name, reference, during),
    removeContents: (owner, except, during) => removeContents(context, owner, except, during),
    rotate,
  }
}

async function firstKeys(store: Store, scope: SystemScope, keys: KeySource, call: Call): Promise<KeyRing> {
  const state = await readState(store, scope, call)
  const ring = await keys.load(state === undefined, call)
  if (state && !ring.find(state.spec.masterKey)) throw unknownKey(state.spec.masterKey)
  if (!state) await claim(store, scope, ring, call)
  return ring
}

/** Says which key seals from now on. Of two servers that begin at once, the later one must have the same key. */
async function claim(store: Store, scope: SystemScope, ring: KeyRing, call: Call): Promise<void> {
  try {
    await store.write(scope, [{ op: 'create', draft: { key: stateKey, spec: stateOf(ring) } }], {}, call)
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
    const state = await readState(store, scope, call)
    if (!state) throw new Fault('unexpected', 'The state of the vault was there, and is gone')
    if (!ring.find(state.spec.masterKey)) throw unknownKey(state.spec.masterKey)
  }
}

async function writeState(store: Store, scope: SystemScope, ring: KeyRing, call: Call): Promise<void> {
  const draft = { key: stateKey, spec: stateOf(ring) }
  await store.write(scope, [{ op: 'replace', draft, ifAbsent: 'create' }], {}, call)
}

const stateOf = (ring: KeyRing): StateSpec => ({ masterKey: ring.newest.id })

async function readState(store: Store, scope: SystemScope, call: Call): Promise<GantryObject<StateSpec> | undefined> {
  return (await store.read(scope, stateKey, call)) as GantryObject<StateSpec> | undefined
}
