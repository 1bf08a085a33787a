/** Secrets by version: sealed rows beside the Secret, which shows their names and fingerprints. */
import { type Call, Fault, type GantryObject, type ObjectOf, type SecretVersion } from '@gantry/core'
import type { Command, Store } from '@gantry/store'
import { open, seal } from './envelope.ts'
import { type FingerprintKey, fingerprint, newFingerprintKey, openFingerprintKey } from './fingerprint.ts'
import type { KeyRing } from './key-ring.ts'
import { type LedgerSpec, ledgerKey, placeOf, readRow, type VersionSpec, versionKey } from './rows.ts'
import type { NewVersion, Resolved, Values, Wanted } from './vault.ts'

export type VaultContext = { readonly store: Store; readonly ring: () => KeyRing; readonly now: () => number }

type SecretObject = ObjectOf<'Secret'>

/** Enough to tell values apart, and too little to be worth anything else. */
const fingerprintBytes = 8

export async function putVersion(
  { store, ring, now }: VaultContext,
  secret: SecretObject,
  values: Values,
  call: Call & { readonly by?: string },
): Promise<NewVersion> {
  requireKeys(secret, values)
  const { name, tenant } = placed(secret)
  const ledger = await readRow<LedgerSpec>(store, ledgerKey(tenant, name), call)
  const print = fingerprintKey(ring(), tenant, name, ledger)
  const version = (ledger?.spec.last ?? 0) + 1
  const keys = [...values].map(([key, value]) => ({
    name: key,
    fingerprint: fingerprint(print, key, value, fingerprintBytes),
  }))
  const createdAt = new Date(now()).toISOString()
  const shown: SecretVersion = { version, createdAt, ...(call.by !== undefined && { createdBy: call.by }), keys }
  return {
    version,
    commands: [
      // First, so that of two writers the later one is told that the secret has changed.
      statusCommand(secret, { version, versions: [shown, ...(secret.status.versions ?? [])] }),
      versionCommand(ring(), secret, version, values),
      ledgerCommand(tenant, name, { last: version, envelope: print.envelope }, ledger),
    ],
  }
}

function requireKeys({ spec, metadata }: SecretObject, values: Values): void {
  const missing = spec.keys.filter((key) => !values.has(key))
  if (missing.length === 0) return
  throw new Fault('schema', `The secret "${metadata.name}" must have all of its keys`, {
    issues: missing.map((key) => ({ path: `text["${key}"]`, message: 'is required by spec.keys of the secret' })),
  })
}

function fingerprintKey(
  ring: KeyRing,
  tenant: string,
  name: string,
  ledger: GantryObject<LedgerSpec> | undefined,
): FingerprintKey {
  const place = placeOf(ledgerKey(tenant, name))
  return ledger ? openFingerprintKey(ring, place, ledger.spec.envelope) : newFingerprintKey(ring, place)
}

function statusCommand(secret: SecretObject, change: Partial<SecretObject['status']>): Command {
  const { name, tenant } = placed(secret)
  const status = { ...secret.status, ...change }
  return { op: 'status', key: { kind: 'Secret', tenant, name }, status, ifVersion: secret.metadata.resourceVersion }
}

function versionCommand(ring: KeyRing, secret: SecretObject, version: number, values: Values): Command {
  const { name, tenant } = placed(secret)
  const key = versionKey(tenant, name, version)
  const spec: VersionSpec = { secret: name, version, envelope: seal(ring, placeOf(key), values) }
  return { op: 'create', draft: { key, spec, ownerRefs: [{ kind: 'Secret', name, uid: secret.metadata.uid }] } }
}

function ledgerCommand(tenant: string, name: string, spec: LedgerSpec, before?: GantryObject<LedgerSpec>): Command {
  const draft = { key: ledgerKey(tenant, name), spec }
  return before ? { op: 'replace', draft, ifGeneration: before.metadata.generation } : { op: 'create', draft }
}

export async function resolveValue({ store, ring }: VaultContext, wanted: Wanted, call: Call): Promise<Resolved> {
  const version = wanted.version ?? (await readSecret(store, wanted, call))?.status.version
  if (version === undefined) throw absent(wanted, 'has no data')
  const key = versionKey(wanted.tenant, wanted.name, version)
  const row = await readRow<VersionSpec>(store, key, call)
  if (!row) throw absent(wanted, `has no version ${version}`)
  const value = open(ring(), placeOf(key), row.spec.envelope, wanted.key)
  if (!value) throw absent(wanted, `has no key "${wanted.key}" in version ${version}`)
  return { version, value }
}

export async function readSecret(
  store: Store,
  { tenant, name }: { readonly tenant: string; readonly name: string },
  call: Call,
): Promise<SecretObject | undefined> {
  return (await store.read({ tenant }, { kind: 'Secret', tenant, name }, call)) as SecretObject | undefined
}

export function removeVersions(secret: SecretObject, versions: readonly number[]): Command[] {
  const { name, tenant } = placed(secret)
  const kept = secret.status.versions ?? []
  const going = kept.filter(({ version }) => versions.includes(version))
  if (going.some(({ version }) => version === secret.status.version)) {
    throw new Fault('illegal_transition', `The newest version of the secret "${name}" cannot be removed; write another`)
  }
  if (going.length === 0) return []
  return [
    statusCommand(secret, { versions: kept.filter((version) => !going.includes(version)) }),
    ...going.map(({ version }): Command => ({ op: 'delete', key: versionKey(tenant, name, version) })),
  ]
}

export function placed({ metadata: { name, tenant } }: SecretObject): {
  readonly name: string
  readonly tenant: string
} {
  if (tenant === undefined) throw new Fault('unexpected', 'A secret belongs to a tenant')
  return { name, tenant }
}

function absent({ name }: Wanted, what: string): Fault {
  return new Fault('secret_not_found', `The secret "${name}" ${what}; write it with \`gantry secret\``)
}
