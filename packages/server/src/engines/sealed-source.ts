/** What lies in the vault of a source, on its way to an engine. */
import { type Call, referenceIn, type SourceSpec } from '@gantry/core'
import { sourceContents, valuesName, withSourceContents } from '../vault/source-contents.ts'
import type { Owner, Vault } from '../vault/vault.ts'

/** With the contents in place of their references; what the vault no longer has is `secret_not_found`. */
export async function openSource(
  vault: Pick<Vault, 'openContent'>,
  owner: Owner,
  source: SourceSpec,
  call: Call,
): Promise<SourceSpec> {
  const opened = new Map<string, unknown>()
  for (const { name, content } of sourceContents(source)) {
    const reference = referenceIn(content)
    if (reference === undefined) continue
    const text = (await vault.openContent(owner, name, reference, call)).reveal()
    opened.set(name, name === valuesName ? JSON.parse(text) : text)
  }
  return opened.size === 0 ? source : withSourceContents(source, (name) => opened.get(name))
}

export function sourceReferences(source: SourceSpec | undefined): string[] {
  return sourceContents(source).flatMap(({ content }) => referenceIn(content) ?? [])
}
