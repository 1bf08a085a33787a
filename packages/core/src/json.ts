/** Values that JSON can say; all that a document, a spec or a plan is made of. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field of the value itself, never one that every object inherits: a user may well call a key `toString`. */
export function own(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined
}
