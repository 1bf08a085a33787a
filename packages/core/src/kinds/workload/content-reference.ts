/**
 * What stands in a spec for a content that lies in the vault. Equal contents of one file have equal references, so specs
 * can be compared and hashed without anybody seeing what is in them.
 */

const pattern = /^vault:([0-9a-f]{32})$/

export function contentReference(reference: string): string {
  return `vault:${reference}`
}

/** The reference, or `undefined` if this is the content itself. */
export function referenceIn(content: string): string | undefined {
  return pattern.exec(content)?.[1]
}
