/** Asks for some objects of one kind to be deleted, and says which. */
import type { World } from '../world/world.ts'
import { writable } from './access.ts'
import { find } from './find.ts'
import { faceCalled } from './targets.ts'

/** All of them must be there: nothing is deleted if one is misspelled. */
export async function removeNamed(kind: string, names: readonly string[], world: World): Promise<number> {
  const face = faceCalled(kind)
  const { tenant } = await world.connection()
  const { signal } = world
  const client = await world.client()
  const { missing } = await find({ face, names }, { client, tenant, signal })
  const [fault] = missing
  if (fault) throw fault
  const objects = writable(client, tenant, face)
  for (const name of names) {
    await objects.delete(name, { signal })
    await world.out.write(`${face.kind.toLowerCase()}/${name} deleted\n`)
  }
  return 0
}
