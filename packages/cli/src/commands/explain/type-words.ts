/** Pure: the type of a field in few words: `[]object`, `integer 1 to 65535`, `rolling | recreate`. */
import type { JsonSchema } from '@gantry/core/schemas'
import { alternatives, valueOfMap } from './field.ts'

export function typeWords(schema: JsonSchema): string {
  const words = alternatives(schema).map(single)
  return [...new Set(words)].join(' | ')
}

function single(schema: JsonSchema): string {
  const { type, enum: values, const: only, items } = schema
  if (only !== undefined) return String(only)
  if (values) return values.filter((value) => value !== '').join(' | ')
  if (items) return `[]${inBrackets(typeWords(items))}`
  const value = valueOfMap(schema)
  if (value && schema.properties === undefined) return `map of ${inBrackets(typeWords(value))}`
  if (type === undefined) return 'anything'
  return `${typeof type === 'string' ? type : type.join(' | ')}${range(schema)}`
}

function inBrackets(words: string): string {
  return words.includes(' ') ? `(${words})` : words
}

/** Where there is one that somebody chose. */
function range({ minimum, maximum }: JsonSchema): string {
  const isLow = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER
  const isHigh = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (isLow && isHigh) return ` ${minimum} to ${maximum}`
  if (isLow) return ` from ${minimum}`
  return isHigh ? ` up to ${maximum}` : ''
}

/** What it is if nobody says; nothing where that is only empty. */
export function defaultWords({ default: value }: JsonSchema): string | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
