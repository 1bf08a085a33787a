/** A vault on a database of its own, for tests. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, type ObjectOf, Secret } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { type Command, openStore, type Store, systemScope } from '@gantry/store'
import { keySource } from '../key-source.ts'
import { openVault } from '../open-vault.ts'
import type { Values, Vault } from '../vault.ts'

export const call: Call = { signal: new AbortController().signal }
export const system = systemScope()

export type VaultSubject = {
  readonly store: Store
  readonly vault: Vault
  readonly keyFile: string
  /** The same store with a vault that has read its keys anew. */
  reopen(): Promise<Vault>
  /** Every byte that lies in the folder of the database. */
  bytes(): Promise<Buffer>
  dispose(): Promise<void>
}

/** On SQLite, or on the database that is given. */
export async function vaultSubject(database?: string): Promise<VaultSubject> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-vault-'))
  const data = join(folder, 'data')
  const keyFile = join(folder, 'keys', 'master.key')
  const store = await openStore({ database: database ?? `sqlite:${join(data, 'store.sqlite')}` }, call)
  const keys = keySource({ type: 'file', path: keyFile })
  const reopen = () => openVault({ store, scope: system, keys, clock: new VirtualClock() }, call)
  return {
    store,
    vault: await reopen(),
    keyFile,
    reopen,
    bytes: async () => {
      const files = await readdir(data)
      return Buffer.concat(await Promise.all(files.map((file) => readFile(join(data, file)))))
    },
    dispose: async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const valuesOf = (plain: Readonly<Record<string, string | Uint8Array>>): Values =>
  new Map(Object.entries(plain).map(([key, value]) => [key, new Secret(value)]))

export async function readSecret(store: Store, tenant: string, name: string): Promise<ObjectOf<'Secret'>> {
  const found = await store.read(system, { kind: 'Secret', tenant, name }, call)
  if (!found) throw new Error(`there is no secret ${name}`)
  return found as ObjectOf<'Secret'>
}

export const makeSecret = (tenant: string, name: string, keys: readonly string[] = []): Command => ({
  op: 'create',
  draft: { key: { kind: 'Secret', tenant, name }, spec: { keys } },
})

/** Makes the secret if there is none, writes the values, and gives the version. */
export async function put(
  { store, vault }: Pick<VaultSubject, 'store' | 'vault'>,
  tenant: string,
  name: string,
  plain: Readonly<Record<string, string | Uint8Array>>,
): Promise<number> {
  const key = { kind: 'Secret', tenant, name }
  if (!(await store.read(system, key, call))) await store.write(system, [makeSecret(tenant, name)], {}, call)
  const { version, commands } = await vault.put(await readSecret(store, tenant, name), valuesOf(plain), call)
  await store.write({ tenant }, commands, {}, call)
  return version
}
