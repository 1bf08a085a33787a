/**
 * What a schema makes of a value that is known to fit: defaults are filled in, texts and numbers brought to their one form.
 * It comes to the same as parsing does, without checking again, which costs many times as much. Whatever a schema has that
 * is not known here is parsed as ever.
 */
import { z } from 'zod'

export type Fill = (value: unknown) => unknown
type Def = z.core.$ZodTypes['_zod']['def']
type Schema = z.core.$ZodType

/** In place of a value that fits, and is refused all the same. */
export const refusedByFill = Symbol('refused')

export function fillerOf(schema: Schema): Fill {
  const fill = fillOf(schema) ?? same
  return (value) => {
    try {
      return fill(value)
    } catch (error) {
      if (error instanceof z.ZodError || error instanceof z.core.$ZodError) return refusedByFill
      throw error
    }
  }
}

const same: Fill = (value) => value

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** `undefined`: a value that fits stays as it is. */
function fillOf(schema: Schema): Fill | undefined {
  const def = schema._zod.def as Def
  // A check may also change a text, such as by taking its spaces away.
  if (def.checks?.some((check) => !isPlainCheck(check))) return parsing(schema)
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'unknown':
      return undefined
    case 'optional': {
      const fill = fillOf(def.innerType)
      // What may be left out inside, as with a default, is a matter for parsing.
      if (def.innerType._zod.optin !== undefined) return parsing(schema)
      return fill && ((value) => (value === undefined ? undefined : fill(value)))
    }
    case 'default': {
      const fill = fillOf(def.innerType) ?? same
      return (value) => (value === undefined ? def.defaultValue : fill(value))
    }
    case 'prefault': {
      const fill = fillOf(def.innerType) ?? same
      let whole: unknown
      // Shared by all who leave it out, so nobody can change it.
      const usual = (): unknown => {
        whole ??= frozen(fill(def.defaultValue))
        return whole
      }
      return (value) => (value === undefined ? usual() : fill(value))
    }
    case 'array': {
      const fill = fillOf(def.element)
      return fill && ((value) => (value as readonly unknown[]).map((item) => fill(item)))
    }
    case 'union':
      return fillByType(def.options) ?? parsing(schema)
    case 'record':
      return fillOf(def.keyType) ? parsing(schema) : fillRecord(fillOf(def.valueType))
    case 'pipe':
      return remembering(parsing(schema))
    case 'object':
      return def.catchall?._zod.def.type === 'never' ? fillObject(def.shape) : parsing(schema)
    default:
      return parsing(schema)
  }
}

const plainChecks: ReadonlySet<string> = new Set([
  'greater_than',
  'less_than',
  'number_format',
  'string_format',
  'min_length',
  'max_length',
  'length_equals',
])

const isPlainCheck = (check: z.core.$ZodCheck<never>): boolean => plainChecks.has(check._zod.def.check)

const parsing =
  (schema: Schema): Fill =>
  (value) =>
    z.parse(schema, value)

const mostRemembered = 500
const longestRemembered = 40

/** Amounts and durations come as the same few texts again and again, and each text always comes to the same. */
function remembering(fill: Fill): Fill {
  const known = new Map<unknown, unknown>()
  return (value) => {
    if (typeof value !== 'number' && (typeof value !== 'string' || value.length > longestRemembered)) return fill(value)
    if (known.has(value)) return known.get(value)
    const filled = fill(value)
    if (known.size >= mostRemembered) known.clear()
    if (typeof filled !== 'object') known.set(value, filled)
    return filled
  }
}

/** A union of texts, numbers and booleans: which of them a value is, it says itself. */
function fillByType(options: readonly Schema[]): Fill | undefined {
  const fills = new Map(options.map((option) => [typeOf(option), fillOf(option)]))
  if (fills.size < options.length || fills.has('other')) return undefined
  return (value) => fills.get(typeof value)?.(value) ?? value
}

function typeOf(schema: Schema): string {
  const def = schema._zod.def as Def
  if (def.type === 'pipe') return typeOf(def.in)
  return def.type === 'string' || def.type === 'number' || def.type === 'boolean' ? def.type : 'other'
}

function fillRecord(fill: Fill | undefined): Fill | undefined {
  if (!fill) return undefined
  return (value) => {
    const filled: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(value as object)) filled[key] = fill(item)
    return filled
  }
}

function fillObject(shape: Readonly<Record<string, Schema>>): Fill | undefined {
  const fields = Object.entries(shape).map(([key, schema]) => ({ key, fill: fillOf(schema) }))
  if (fields.every(({ fill }) => fill === undefined)) return undefined
  return (value) => {
    const given = value as Readonly<Record<string, unknown>>
    const filled: Record<string, unknown> = {}
    for (const { key, fill } of fields) {
      const item = given[key]
      const next = fill ? fill(item) : item
      if (next !== undefined) filled[key] = next
    }
    return filled
  }
}
