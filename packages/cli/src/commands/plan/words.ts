/** Pure: objects as people call them. */

export type Key = { readonly kind: string; readonly name: string }

/** `workload/web`. */
export function shownKey({ kind, name }: Key): string {
  return `${kind.toLowerCase()}/${name}`
}

/** What a document of a file calls itself, if it does. */
export function keyIn(document: unknown): Key | undefined {
  const { kind, metadata } = (document ?? {}) as { kind?: unknown; metadata?: unknown }
  const { name } = (metadata ?? {}) as { name?: unknown }
  return typeof kind === 'string' && typeof name === 'string' ? { kind, name } : undefined
}
