/** Whose things on engines are ours: made once for a database, and brought back with its backup. */
import { type Call, Fault, isFault, type ObjectKey } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'

const key: ObjectKey = { kind: 'Installation', name: 'installation' }

/** The mark that everything of ours carries. Of two servers that begin at once, both get the same. */
export async function installationOf(store: Store, scope: SystemScope, call: Call): Promise<string> {
  const found = await store.read(scope, key, call)
  if (found) return found.metadata.uid
  try {
    await store.write(scope, [{ op: 'create', draft: { key, spec: {} } }], {}, call)
  } catch (error) {
    if (!isFault(error, 'conflict')) throw error
  }
  const made = await store.read(scope, key, call)
  if (made) return made.metadata.uid
  throw new Fault('unexpected', 'The mark of this installation was written, and is not there')
}
