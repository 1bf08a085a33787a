/**
 * What is live, without the defaults that only followed from what was last applied. A merge must not take them for
 * somebody's wish: when the file changes what they followed from, they must follow again.
 */
import { canonicalJson } from '@gantry/core'

type Fields = Readonly<Record<string, unknown>>

/** `written`: what was last applied, as it was written. `complete`: the same with its defaults. */
export function withoutDefaults(live: unknown, complete: unknown, written: unknown): unknown {
  if (isFields(live) && isFields(complete) && isFields(written)) {
    const fields = Object.keys(live).flatMap((key): [string, unknown][] => {
      const wasWritten = Object.hasOwn(written, key)
      if (!wasWritten && same(live[key], complete[key])) return []
      return [[key, wasWritten ? withoutDefaults(live[key], complete[key], written[key]) : live[key]]]
    })
    return Object.fromEntries(fields)
  }
  if (!Array.isArray(live) || !Array.isArray(complete) || !Array.isArray(written)) return live
  return live.map((item: unknown) => {
    const at = isNamed(item) ? complete.findIndex((other) => isNamed(other) && other.name === item.name) : -1
    return at < 0 ? item : withoutDefaults(item, complete[at], written[at])
  })
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNamed(value: unknown): value is Fields & { readonly name: string } {
  return isFields(value) && typeof value.name === 'string'
}

function same(left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === right
  return canonicalJson(left) === canonicalJson(right)
}
