/** Contents by reference: what a workload keeps under a name, sealed once for as long as it stays the same. */
import { type Call, Fault, isFault, type ObjectKey, type Secret } from '@gantry/core'
import type { Command } from '@gantry/store'
import { open, seal } from './envelope.ts'
import { type FingerprintKey, fingerprint, newFingerprintKey, openFingerprintKey } from './fingerprint.ts'
import { contentKey, contentLedgerKey, placeOf, readRow, type SealedSpec, vaultKinds } from './rows.ts'
import type { VaultContext } from './secrets.ts'
import type { Owner, SealedContents, Values } from './vault.ts'

/** As long as two different contents must never share one. */
const referenceBytes = 16

export async function sealContents(
  { store, ring }: VaultContext,
  { tenant, owner, ref }: Owner,
  contents: Values,
  call: Call,
): Promise<SealedContents> {
  const print = await fingerprintKey({ store, ring }, tenant, call)
  const commands: Command[] = []
  const requires: ObjectKey[] = []
  const references = new Map<string, string>()
  for (const [name, content] of contents) {
    const reference = fingerprint(print, name, content, referenceBytes)
    references.set(name, reference)
    const key = contentKey(tenant, owner, reference)
    if (await readRow(store, key, call)) {
      requires.push(key)
      continue
    }
    const envelope = seal(ring(), placeOf(key), new Map([[name, content]]))
    const draft = { key, spec: { envelope }, ...(ref && { ownerRefs: [ref] }) }
    // Two that write the same content at once have written the same thing.
    commands.push({ op: 'replace', ifAbsent: 'create', draft })
  }
  return { references, commands, requires }
}

/**
 * Written by itself, before anything refers to it: a reference must be the same whether it was made for a plan, which
 * stores nothing else, or for the write that follows.
 */
async function fingerprintKey(
  { store, ring }: Pick<VaultContext, 'store' | 'ring'>,
  tenant: string,
  call: Call,
): Promise<FingerprintKey> {
  const key = contentLedgerKey(tenant)
  const found = async (): Promise<FingerprintKey | undefined> => {
    const ledger = await readRow<SealedSpec>(store, key, call)
    return ledger && openFingerprintKey(ring(), placeOf(key), ledger.spec.envelope)
  }
  const known = await found()
  if (known) return known
  const made = newFingerprintKey(ring(), placeOf(key))
  try {
    await store.write({ tenant }, [{ op: 'create', draft: { key, spec: { envelope: made.envelope } } }], {}, call)
    return made
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
    return (await found()) ?? made
  }
}

export async function openContent(
  { store, ring }: VaultContext,
  { tenant, owner }: Owner,
  name: string,
  reference: string,
  call: Call,
): Promise<Secret> {
  const key = contentKey(tenant, owner, reference)
  const row = await readRow<SealedSpec>(store, key, call)
  const content = row && open(ring(), placeOf(key), row.spec.envelope, name)
  if (content) return content
  throw new Fault('secret_not_found', `The content "${name}" of "${owner}" is not in the vault; apply it anew`)
}

const atOnce = 500

export async function removeContents(
  { store }: VaultContext,
  { tenant, owner }: Owner,
  except: ReadonlySet<string>,
  call: Call,
): Promise<Command[]> {
  // Most tenants never kept anything, and looking for it would cost as much as all others have.
  if (!(await readRow(store, contentLedgerKey(tenant), call))) return []
  const commands: Command[] = []
  let next: string | undefined
  do {
    const from = next === undefined ? {} : { continue: next }
    const page = await store.list({ tenant }, { kind: vaultKinds.content, tenant, limit: atOnce, ...from }, call)
    for (const { metadata } of page.items) {
      const [whose, reference = ''] = metadata.name.split('.', 2)
      if (whose !== owner || except.has(reference)) continue
      commands.push({ op: 'delete', key: contentKey(tenant, owner, reference), ifUid: metadata.uid })
    }
    next = page.continue
  } while (next !== undefined)
  return commands
}
