/** Pure: which files of a chart its `.helmignore` leaves out, by the rules that Helm has for it. */

type Rule = { readonly keeps: boolean; readonly foldersOnly: boolean; readonly fits: (path: string) => boolean }

export type Ignored = (path: string, isFolder: boolean) => boolean

/** The last rule that fits decides. What begins with a dot among templates never is one. */
export function ignoredBy(text: string): Ignored {
  const rules = [...text.split(/\r?\n/), 'templates/.?*'].flatMap(ruleOf)
  return (path, isFolder) => {
    const last = rules.findLast(({ foldersOnly, fits }) => (!foldersOnly || isFolder) && fits(path))
    return last !== undefined && !last.keeps
  }
}

function ruleOf(line: string): Rule[] {
  const written = line.trim()
  if (written === '' || written.startsWith('#')) return []
  const keeps = written.startsWith('!')
  const pattern = keeps ? written.slice(1) : written
  const foldersOnly = pattern.endsWith('/')
  const plain = pattern.replace(/\/$/, '')
  const isAnchored = plain.includes('/')
  const matches = matcher(plain.replace(/^\//, ''))
  // Without a slash a name is meant, wherever it is.
  const fits = (path: string): boolean => matches(isAnchored ? path : (path.split('/').at(-1) ?? ''))
  return [{ keeps, foldersOnly, fits }]
}

function matcher(pattern: string): (text: string) => boolean {
  const source = pattern.replaceAll(/\[\^?[^\]/]+\]|[*?]|[\\^$.|+(){}[\]]/g, (piece) => {
    if (piece === '*') return '[^/]*'
    if (piece === '?') return '[^/]'
    return piece.length > 1 ? piece.replaceAll('\\', '\\\\') : `\\${piece}`
  })
  const fitting = new RegExp(`^${source}$`, 'u')
  return (text) => fitting.test(text)
}
