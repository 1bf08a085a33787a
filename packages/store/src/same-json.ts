/** Whether two values are stored as the same JSON, whatever the order of their fields. */

const none: ReadonlySet<string> = new Set()

/** `ignoring`: names of fields that do not count, at any depth. */
export function sameJson(left: unknown, right: unknown, ignoring: ReadonlySet<string> = none): boolean {
  const a = asJson(left)
  const b = asJson(right)
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, at) => sameJson(item ?? null, b[at] ?? null, ignoring))
  }
  const keys = fields(a, ignoring)
  if (keys.length !== fields(b, ignoring).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(field(a, key), field(b, key), ignoring))
}

/** What JSON would make of a value that says so itself, and of numbers it has no word for. */
function asJson(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  if (typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function') {
    return value.toJSON()
  }
  return value
}

const field = (of: object, key: string): unknown => (of as Record<string, unknown>)[key]

/** A field that is undefined is not stored, so it is not there. */
function fields(of: object, ignoring: ReadonlySet<string>): string[] {
  return Object.keys(of).filter((key) => field(of, key) !== undefined && !ignoring.has(key))
}
