/** SQL as the driver wants it: numbered parameters, and a name for what is worth compiling once per connection. */
import type { QueryConfig } from 'pg'

export type Value = string | number | null | readonly (string | number | null)[]

const names = new Map<string, string>()
const most = 200

/** The same text always gets the same name; the endless shapes of selectors beyond the first ones get none. */
export function statement(text: string, values: readonly Value[] = []): QueryConfig {
  const known = names.get(text)
  const name = known ?? (names.size < most ? `gantry_${names.size}` : undefined)
  if (known === undefined && name !== undefined) names.set(text, name)
  const query = { text: numbered(text), values: [...values] }
  return name === undefined ? query : { name, ...query }
}

const texts = new Map<string, string>()

function numbered(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  let at = 0
  const done = text.replaceAll('?', () => {
    at += 1
    return `$${at}`
  })
  if (texts.size < most) texts.set(text, done)
  return done
}
