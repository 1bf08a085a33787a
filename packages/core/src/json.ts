/** Values that JSON can say; all that a document, a spec or a plan is made of. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
