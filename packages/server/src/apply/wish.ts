/** One object of an apply: as it was written, and as it was read. */
import {
  Fault,
  type GantryObject,
  isFault,
  kindOf,
  type Manifest,
  type ObjectKey,
  type WrittenKindName,
} from '@gantry/core'
import { describe } from '../objects/draft.ts'

export type Wish = {
  readonly index: number
  readonly kind: WrittenKindName
  readonly key: ObjectKey
  readonly written: { readonly spec: unknown }
  readonly manifest: Manifest
}

/**
 * Reads all of them, and says everything that is wrong with any. `tenant`: for those that name none. `accept`: they have
 * passed the compiled validator of the endpoint already, and what fits is not checked twice.
 */
export function readWishes(
  objects: readonly unknown[],
  tenant: string | undefined,
  how: 'parse' | 'accept' = 'parse',
): Wish[] {
  const faults: Fault[] = []
  const wishes = objects.flatMap((object, index): Wish[] => {
    try {
      return [readWish(object, index, tenant, how)]
    } catch (error) {
      if (!isFault(error, 'invalid')) throw error
      faults.push(error)
      return []
    }
  })
  const [first] = faults
  if (first) throw new Fault(first.reason, first.message, { issues: faults.flatMap(({ issues }) => issues) })
  refuseTwice(wishes)
  return wishes
}

function readWish(object: unknown, index: number, fallback: string | undefined, how: 'parse' | 'accept'): Wish {
  try {
    const kind = kindOf(object)
    const parsed = kind[how](object)
    const tenant = kind.scope === 'system' ? undefined : (parsed.metadata.tenant ?? fallback)
    if (kind.scope !== 'system' && tenant === undefined) {
      const message = 'is required, here or beside the objects'
      throw new Fault('schema', `${kind.kind} "${parsed.metadata.name}" is of no tenant: metadata.tenant ${message}`, {
        issues: [{ path: 'metadata.tenant', message }],
      })
    }
    const place = tenant === undefined ? {} : { tenant }
    const manifest = { ...parsed, metadata: { ...parsed.metadata, ...place } }
    const key = { kind: kind.kind, ...place, name: parsed.metadata.name }
    return { index, kind: kind.kind, key, written: object as { spec: unknown }, manifest }
  } catch (error) {
    if (!isFault(error)) throw error
    const issues = error.issues.map((issue) => ({ ...issue, path: `objects[${index}].${issue.path}` }))
    throw new Fault(error.reason, error.message, { issues, cause: error })
  }
}

/** Two wishes for one object: whichever won, half of what was sent would not be true. */
function refuseTwice(wishes: readonly Wish[]): void {
  const seen = new Set<string>()
  for (const { key, index } of wishes) {
    const name = describe(key)
    if (seen.has(name)) {
      const issues = [{ path: `objects[${index}].metadata.name`, message: 'is there twice' }]
      throw new Fault('schema', `${name} is there twice`, { issues })
    }
    seen.add(name)
  }
}

/** As the object was when it was looked at. */
export type Live = GantryObject | undefined
