/** Pure: what files name, in the order in which it can be taken away. */
import { type AnyFace, Fault, findFace, type Issue } from '@gantry/core'
import { keyIn } from '../plan/words.ts'

export type Doomed = { readonly face: AnyFace; readonly name: string; readonly tenant: string | undefined }

/** What refers to others goes first. */
const order = ['Route', 'Workload', 'Secret', 'Provider', 'Tenant']

export function doomedIn(objects: readonly unknown[]): Doomed[] {
  const issues: Issue[] = []
  const found = objects.flatMap((object, at): Doomed[] => {
    const key = keyIn(object)
    const face = key && findFace(key.kind)
    if (!key || !face || face.kind !== key.kind) {
      const message = key ? `there is no kind ${JSON.stringify(key.kind)}` : 'has no kind and name'
      issues.push({ path: `objects[${at}]${key ? '.kind' : ''}`, message })
      return []
    }
    const { tenant } = (object as { metadata: { tenant?: string } }).metadata
    return [{ face, name: key.name, tenant }]
  })
  if (issues.length > 0)
    throw new Fault('schema', 'Not everything in the files is an object; nothing was deleted', { issues })
  return found.toSorted((one, other) => place(one) - place(other))
}

function place({ face }: Doomed): number {
  const at = order.indexOf(face.kind)
  return Math.max(at, 0)
}
