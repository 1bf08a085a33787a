/** A new master key: every data key is sealed anew, the values stay as they are. */
import { type Call, type GantryObject, isFault, type ObjectKey } from '@gantry/core'
import type { Command, Store, SystemScope } from '@gantry/store'
import { reseal } from './envelope.ts'
import type { KeyRing } from './key-ring.ts'
import { placeOf, type SealedSpec, vaultKinds } from './rows.ts'

const sealedKinds = [vaultKinds.ledger, vaultKinds.version, vaultKinds.contentLedger, vaultKinds.content] as const
const atOnce = 200

/** How many were sealed anew. What is written meanwhile is sealed by the newest key already. */
export async function resealAll(store: Store, scope: SystemScope, ring: KeyRing, call: Call): Promise<number> {
  let resealed = 0
  for (const kind of sealedKinds) {
    let next: string | undefined
    do {
      const from = next === undefined ? {} : { continue: next }
      const page = await store.list(scope, { kind, limit: atOnce, ...from }, call)
      for (const item of page.items) resealed += await resealOne(store, scope, ring, keyOf(item), call)
      next = page.continue
    } while (next !== undefined)
  }
  return resealed
}

/** Each is read again and written by itself: one that is removed or changed meanwhile holds up no other. */
async function resealOne(store: Store, scope: SystemScope, ring: KeyRing, key: ObjectKey, call: Call): Promise<number> {
  for (;;) {
    const row = (await store.read(scope, key, call)) as GantryObject<SealedSpec> | undefined
    const envelope = row && reseal(ring, placeOf(key), row.spec.envelope)
    if (!envelope || row.metadata.deletionRequestedAt !== undefined) return 0
    const { labels, annotations, generation } = row.metadata
    const draft = { key, spec: { ...row.spec, envelope }, labels, annotations }
    const command: Command = { op: 'replace', draft, ifGeneration: generation }
    try {
      await store.write(scope, [command], {}, call)
      return 1
    } catch (error) {
      if (!isFault(error, 'conflict') && !isFault(error, 'not_found')) throw error
    }
  }
}

function keyOf({ kind, metadata: { tenant, name } }: GantryObject): ObjectKey {
  return { kind, name, ...(tenant === undefined ? {} : { tenant }) }
}
