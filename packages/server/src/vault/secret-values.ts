/** From the body of a request to values that nobody can print. */
import { Fault, Secret } from '@gantry/core'
import type { Values } from './vault.ts'

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
