/** One text for one value: keys in order, no spaces, fields that are undefined left out. What hashes are made of. */
import { Fault } from './fault.ts'
import { isRecord } from './json.ts'
import { isSecret } from './secret.ts'

export function canonicalJson(value: unknown): string {
  if (isSecret(value)) throw notJson('a secret')
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (isRecord(value)) {
    const fields = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
    return `{${fields.join(',')}}`
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  throw notJson(typeof value === 'number' ? String(value) : typeof value)
}

/** A secret would hash like every other secret, and the rest would come back as something else: a bug of the caller. */
function notJson(what: string): Fault {
  return new Fault('unexpected', 'Something went wrong inside Gantry', { detail: `cannot be made canonical: ${what}` })
}
