/** Where something is inside an object, written as a user reads it: `spec.services[0].ports[1].name`. */
export type PathPart = string | number
export type Path = readonly PathPart[]

/** As in a diff, where an entry of a list of named things is meant by its name: `spec.services[web].image`. */
export type NamedPath = readonly (PathPart | { readonly name: string })[]

const plainKey = /^[A-Za-z_][-A-Za-z0-9_]*$/

/** Keys that are no plain words are quoted: `metadata.labels["example.com/team"]`. */
export function formatPath(path: NamedPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (typeof part === 'object') return `${text}[${part.name}]`
    if (!plainKey.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

const parts = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([A-Za-z_][-A-Za-z0-9_]*)/y

/** The parts of a path written by place; whatever follows something that is no path is left out. */
export function parsePath(text: string): PathPart[] {
  const path: PathPart[] = []
  parts.lastIndex = 0
  for (let found = parts.exec(text); found; found = parts.exec(text)) {
    const [, index, quoted, key] = found
    path.push(index !== undefined ? Number(index) : quoted !== undefined ? String(JSON.parse(quoted)) : String(key))
  }
  return path
}
