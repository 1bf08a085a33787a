/** Contents by reference: what a workload keeps under a name, sealed once for as long as it stays the same. */
import { type Call, Fault, type Secret } from '@gantry/core'
import type { Command } from '@gantry/store'
import { open, seal } from './envelope.ts'
import { fingerprint, newFingerprintKey, openFingerprintKey } from './fingerprint.ts'
import { contentKey, contentLedgerKey, placeOf, readRow, type SealedSpec, vaultKinds } from './rows.ts'
import type { VaultContext } from './secrets.ts'
import type { Owner, SealedContents, Values } from './vault.ts'

/** As long as two different contents must never share one. */
const referenceBytes = 16

export async function sealContents(
  { store, ring }: VaultContext,
  { tenant, owner }: Owner,
  contents: Values,
  call: Call,
): Promise<SealedContents> {
  const ledgerAt = contentLedgerKey(tenant, owner)
  const ledger = await readRow<SealedSpec>(store, ledgerAt, call)
  const print = ledger
    ? openFingerprintKey(ring(), placeOf(ledgerAt), ledger.spec.envelope)
    : newFingerprintKey(ring(), placeOf(ledgerAt))
  const commands: Command[] = []
  if (!ledger) commands.push({ op: 'create', draft: { key: ledgerAt, spec: { envelope: print.envelope } } })
  const references = new Map<string, string>()
  for (const [name, content] of contents) {
    const reference = fingerprint(print, name, content, referenceBytes)
    references.set(name, reference)
    const key = contentKey(tenant, owner, reference)
    if (await readRow(store, key, call)) continue
    const envelope = seal(ring(), placeOf(key), new Map([[name, content]]))
    // Two that write the same content at once have written the same thing.
    commands.push({ op: 'replace', ifAbsent: 'create', draft: { key, spec: { envelope } } })
  }
  return { references, commands }
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
  const ledgerAt = contentLedgerKey(tenant, owner)
  // Most owners never kept anything, and looking for it would cost as much as all others have.
  const ledger = await readRow(store, ledgerAt, call)
  if (!ledger) return []
  // With nothing to stay, the owner itself is forgotten.
  const commands: Command[] = except.size > 0 ? [] : [{ op: 'delete', key: ledgerAt, ifUid: ledger.metadata.uid }]
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
