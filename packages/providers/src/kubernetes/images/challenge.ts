/** Pure: what a server says that wants to know who asks (`WWW-Authenticate`). */

export type Challenge =
  | { readonly scheme: 'basic' }
  /** `realm`: where a token is given out. */
  | { readonly scheme: 'bearer'; readonly realm: string; readonly service?: string; readonly scope?: string }

/** Those that we know, in their order. */
export function challengesOf(header: string): readonly Challenge[] {
  const found: { readonly scheme: string; readonly values: Map<string, string> }[] = []
  // A word alone begins the next one; one with a value belongs to the last.
  for (const [, word = '', quoted, bare] of header.matchAll(
    /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+)))?/g,
  )) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? bare
    if (value === undefined) found.push({ scheme: word.toLowerCase(), values: new Map() })
    else found.at(-1)?.values.set(word.toLowerCase(), value)
  }
  return found.flatMap(({ scheme, values }): Challenge[] => {
    if (scheme === 'basic') return [{ scheme }]
    const [realm, service, scope] = ['realm', 'service', 'scope'].map((name) => values.get(name))
    if (scheme !== 'bearer' || realm === undefined) return []
    return [{ scheme, realm, ...(service !== undefined && { service }), ...(scope !== undefined && { scope }) }]
  })
}
