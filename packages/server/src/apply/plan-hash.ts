/**
 * The hash that an apply is held to, and beside it a few bytes for each object that the plan was made from. The hash decides
 * whether the plan still holds; the bytes only serve to say what moved. They travel with the caller, so any server can say
 * it, also after a restart.
 */
import { hashOf, type ObjectKey } from '@gantry/core'
import { describe } from '../objects/draft.ts'

/** What a plan saw of one object. */
export type Seen = {
  readonly object: ObjectKey
  /** `undefined`: it was not there. */
  readonly generation: number | undefined
  /** Of what is wanted of it. */
  readonly desired: string
  /** Of what runs of it. */
  readonly observed: string
}

/** Key, generation, desired, observed: two bytes are enough to tell one from another among a thousand, mostly. */
const layout = { key: 2, generation: 4, desired: 2, observed: 2 } as const
const width = layout.key + layout.generation + layout.desired + layout.observed
const mostGeneration = 2 ** 32 - 1

export function planHashOf(hash: string, seen: readonly Seen[]): string {
  return `${hash}.${Buffer.concat(seen.map(printOf)).toString('base64url')}`
}

export function isSamePlan(given: string, hash: string): boolean {
  return given.split('.', 1)[0] === hash.split('.', 1)[0]
}

/** In words, per object. Empty: it cannot be told, because the bytes were left out or happen to be the same. */
export function movedSince(given: string, now: readonly Seen[]): string[] {
  const then = new Map(printsIn(given).map((print) => [print.toString('hex', 0, layout.key), print]))
  if (then.size === 0) return []
  const changed = now.flatMap((seen) => {
    const print = printOf(seen)
    const key = print.toString('hex', 0, layout.key)
    const before = then.get(key)
    then.delete(key)
    return before === undefined
      ? [`${describe(seen.object)} was not part of the plan`]
      : difference(before, print, seen)
  })
  const left = then.size === 1 ? 'one object of the plan is' : `${then.size} objects of the plan are`
  return then.size === 0 ? changed : [...changed, `${left} no longer part of it`]
}

function difference(then: Buffer, now: Buffer, { object, generation }: Seen): string[] {
  const name = describe(object)
  const before = then.readUInt32BE(layout.key)
  if (before !== now.readUInt32BE(layout.key)) {
    if (before === 0) return [`${name} was made since, and is at generation ${generation}`]
    if (generation === undefined) return [`${name} was at generation ${before}, and is gone`]
    return [`${name} was at generation ${before}, and is at ${generation}`]
  }
  const desiredAt = layout.key + layout.generation
  const observedAt = desiredAt + layout.desired
  return [
    ...(same(then, now, desiredAt, layout.desired) ? [] : [`what is wanted of ${name} is not what was planned`]),
    ...(same(then, now, observedAt, layout.observed) ? [] : [`what runs of ${name} is not what it was`]),
  ]
}

function same(left: Buffer, right: Buffer, at: number, length: number): boolean {
  return left.subarray(at, at + length).equals(right.subarray(at, at + length))
}

function printOf({ object: { kind, tenant = '', name }, generation = 0, desired, observed }: Seen): Buffer {
  const bytes = Buffer.alloc(width)
  let at = bytes.write(hashOf([kind, tenant, name]), 0, layout.key, 'hex')
  at = bytes.writeUInt32BE(Math.min(generation, mostGeneration), at)
  at += bytes.write(hashOf(desired), at, layout.desired, 'hex')
  bytes.write(hashOf(observed), at, layout.observed, 'hex')
  return bytes
}

function printsIn(given: string): Buffer[] {
  const bytes = Buffer.from(given.split('.', 2)[1] ?? '', 'base64url')
  return Array.from({ length: Math.floor(bytes.length / width) }, (_, n) => bytes.subarray(n * width, (n + 1) * width))
}
