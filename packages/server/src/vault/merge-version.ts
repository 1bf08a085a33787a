/** A next version that differs in some values: the others go from seal to seal without leaving the vault. */
import { type Call, Fault, type ObjectOf, type Secret } from '@gantry/core'
import { open } from './envelope.ts'
import { placeOf, readRow, type VersionSpec, versionKey } from './rows.ts'
import { placed, putVersion, type VaultContext } from './secrets.ts'
import type { NewVersion, ValueChange, Values } from './vault.ts'

export async function mergeVersion(
  context: VaultContext,
  secret: ObjectOf<'Secret'>,
  { set, remove }: ValueChange,
  call: Call & { readonly by?: string },
): Promise<NewVersion> {
  const values = new Map(await newestValues(context, secret, call))
  const absent = remove.filter((key) => !values.delete(key))
  if (absent.length > 0) {
    const issues = absent.map((key) => ({ path: `text["${key}"]`, message: 'is not in the newest version' }))
    throw new Fault('schema', `The secret "${secret.metadata.name}" cannot lose what it does not have`, { issues })
  }
  for (const [key, value] of set) values.set(key, value)
  return await putVersion(context, secret, values, call)
}

/** None if it has no data yet. */
async function newestValues({ store, ring }: VaultContext, secret: ObjectOf<'Secret'>, call: Call): Promise<Values> {
  const { name, tenant } = placed(secret)
  const { version } = secret.status
  if (version === undefined) return new Map()
  const key = versionKey(tenant, name, version)
  const row = await readRow<VersionSpec>(store, key, call)
  if (!row)
    throw new Fault('secret_not_found', `The secret "${name}" has no version ${version}; write all of its values`)
  const { envelope } = row.spec
  const found = Object.keys(envelope.values).map((each): [string, Secret | undefined] => [
    each,
    open(ring(), placeOf(key), envelope, each),
  ])
  return new Map(found.filter((pair): pair is [string, Secret] => pair[1] !== undefined))
}
