/** The objects that a line means, as the server has them now. */
import type { Client } from '@gantry/api'
import { type AnyFace, Fault, isFault, nearest } from '@gantry/core'
import { type AnyObject, everywhere, objectsOf } from './access.ts'
import type { Target } from './targets.ts'

export type Where = {
  readonly client: Client
  readonly tenant: string
  readonly allTenants?: boolean
  readonly selector?: string | undefined
  readonly signal: AbortSignal
}

/** Names that there are not come as faults, beside those that were found. */
export type Group = {
  readonly face: AnyFace
  readonly objects: readonly AnyObject[]
  /** Of a list: up to which version that is known; whoever watches goes on from there. */
  readonly version?: number
  readonly missing: readonly Fault[]
}

export async function find({ face, names }: Target, where: Where): Promise<Group> {
  if (names.length === 0) return { face, missing: [], ...(await listed(face, where)) }
  const { client, tenant, signal } = where
  const source = objectsOf(client, tenant, face)
  const found = await Promise.all(
    names.map((name) => source.get(name, { signal }).catch((error: unknown) => absent(error, face, name, where))),
  )
  return { face, objects: found.filter((one) => !isFault(one)), missing: found.filter((one) => isFault(one)) }
}

/** One object by its name; who misspells it is told the nearest. */
export async function findOne(face: AnyFace, name: string, where: Where): Promise<AnyObject> {
  const { objects, missing } = await find({ face, names: [name] }, where)
  const [fault] = missing
  if (fault) throw fault
  return objects[0] as AnyObject
}

async function listed(face: AnyFace, where: Where): Promise<{ objects: AnyObject[]; version: number }> {
  const { client, tenant, allTenants, selector, signal } = where
  const source = allTenants ? everywhere(client, face) : objectsOf(client, tenant, face)
  const objects: AnyObject[] = []
  let version = 0
  for await (const page of source.list({ labelSelector: selector, signal }).pages()) {
    objects.push(...page.items)
    version = page.resourceVersion
  }
  return { objects, version }
}

/** A fault that is an answer: looked, and there is none. Everything else is thrown. */
async function absent(error: unknown, face: AnyFace, name: string, where: Where): Promise<Fault> {
  if (!isFault(error, 'not_found')) throw error
  const known = await listed(face, { ...where, allTenants: false, selector: undefined }).catch(() => undefined)
  return notFound(face, name, known?.objects.map(({ metadata }) => metadata.name) ?? [], where.tenant, error)
}

export function notFound(
  face: AnyFace,
  name: string,
  known: readonly string[],
  tenant: string,
  cause?: unknown,
): Fault {
  const guess = nearest(name, known)
  const place = face.scope === 'system' ? '' : ` in tenant ${tenant}`
  const hint =
    guess === undefined ? `"gantry get ${face.plural}" shows those that there are` : `did you mean "${guess}"?`
  const what = `There is no ${face.kind.toLowerCase()} ${JSON.stringify(name)}${place}`
  return new Fault('object_not_found', `${what}; ${hint}`, { cause })
}
