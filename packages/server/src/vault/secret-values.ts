/** From the body of a request to values that nobody can print. */
import { Fault, Secret } from '@gantry/core'
import type { ValueChange, Values } from './vault.ts'

export type WrittenValues = {
  readonly text: Readonly<Record<string, string>>
  readonly base64: Readonly<Record<string, string>>
}

export function secretValues({ text, base64 }: WrittenValues): Values {
  const values = new Map(Object.entries(text).map(([key, value]) => [key, new Secret(value)]))
  for (const [key, value] of Object.entries(base64)) {
    if (values.has(key)) {
      const issues = [{ path: `base64["${key}"]`, message: 'is there as text too' }]
      throw new Fault('schema', 'A value is either text or bytes', { issues })
    }
    values.set(key, new Secret(Buffer.from(value, 'base64')))
  }
  return values
}

export type WrittenChange = {
  readonly text: Readonly<Record<string, string | null>>
  readonly base64: Readonly<Record<string, string | null>>
}

/** The same of a merge patch, in which null removes. */
export function secretChanges({ text, base64 }: WrittenChange): ValueChange {
  const remove = [text, base64].flatMap((values) => Object.keys(values).filter((key) => values[key] === null))
  const set = secretValues({ text: written(text), base64: written(base64) })
  const both = remove.find((key, at) => set.has(key) || remove.indexOf(key) !== at)
  if (both !== undefined) {
    const issues = [{ path: `text["${both}"]`, message: 'is there twice' }]
    throw new Fault('schema', 'A value is either text or bytes, and either written or removed', { issues })
  }
  return { set, remove }
}

function written(values: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, string] => pair[1] !== null))
}
