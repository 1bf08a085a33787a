/** A patch from its text. JSON is read without loading what reads YAML. */
import { Fault } from '@gantry/core'

export async function readPatch(text: string): Promise<Readonly<Record<string, unknown>>> {
  const value = text.trimStart().startsWith('{') ? (jsonOf(text) ?? (await yamlOf(text))) : await yamlOf(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Fault('bad_document', 'The patch must be a part of an object, as in {"spec": {"replicas": 3}}')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // YAML has a form with braces too, and says better what is wrong.
    return undefined
  }
}

async function yamlOf(text: string): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    return parse(text, { maxAliasCount: 0 })
  } catch (cause) {
    const [first = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new Fault('bad_document', `The patch cannot be read: ${first.replace(/:$/, '')}`, { cause })
  }
}
