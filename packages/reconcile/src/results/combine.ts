/** Many results as one: the worst is reported, all are kept. */
import type { ObjectKey } from '@gantry/core'
import { done, type Leaf, leavesOf, type Result, type ResultState } from './result.ts'

/** What is reported when children differ. Fixed, so that the report never flaps with who finishes first. */
const precedence = { done: 0, yield: 1, transient: 2, permanent: 3 } as const satisfies Record<ResultState, number>

/** Of equally bad results the first in the order given. */
export function combine(path: string, results: readonly Result[]): Result {
  const parts = results.flatMap(leavesOf)
  const worst = results.reduce<Result | undefined>(worse, undefined)
  if (!worst) return done(path)
  const references = results.flatMap((result) => result.references ?? [])
  const reported = worst.state === 'done' ? done(path) : worst
  return { ...reported, parts, ...withReferences(references) }
}

/** The same result as seen from one level up: every path begins with `name`. */
export function under(name: string, result: Result): Result {
  const prefixed = prefix(name, result)
  return result.parts ? { ...prefixed, parts: result.parts.map((part) => prefix(name, part)) } : prefixed
}

function worse(a: Result | undefined, b: Result): Result {
  return !a || precedence[b.state] > precedence[a.state] ? b : a
}

function prefix<T extends Leaf>(name: string, leaf: T): T {
  return { ...leaf, path: leaf.path === '' ? name : `${name}/${leaf.path}` }
}

function withReferences(references: readonly ObjectKey[]): { references?: readonly ObjectKey[] } {
  return references.length > 0 ? { references } : {}
}
