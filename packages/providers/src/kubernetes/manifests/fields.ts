/** Reading plain data that others made, of which nothing is known for sure. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is at the end of the path, if all of it is there; never what every object inherits. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value
  for (const name of path) {
    if (!isFields(here) || !Object.hasOwn(here, name)) return undefined
    here = here[name]
  }
  return here
}

export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
