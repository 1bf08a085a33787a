/** Files by a pattern with `*`, `?`, `[abc]` and `**`, for those that no shell has looked up: `-f 'apps/**'`. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export function isPattern(path: string): boolean {
  return /[*?[]/.test(path)
}

/** Every file that fits, in order of name; folders are not followed where they are links, nor into hidden ones. */
export async function filesLike(pattern: string, folder: string): Promise<string[]> {
  const absolute = pattern.startsWith('/')
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  const found = await below(absolute ? '/' : folder, parts)
  return [...new Set(found)].toSorted()
}

async function below(folder: string, [part, ...rest]: readonly string[]): Promise<string[]> {
  if (part === undefined) return []
  if (part === '..') return await below(join(folder, part), rest)
  const entries = await readdir(folder, { withFileTypes: true }).catch(absentIsNone)
  const matches = part === '**' ? () => true : matcher(part)
  const found = entries.map(async (entry): Promise<string[]> => {
    if (entry.name.startsWith('.') && !part.startsWith('.')) return []
    const path = join(folder, entry.name)
    // Any number of folders, and so also none.
    if (part === '**' && entry.isDirectory()) return await below(path, ['**', ...rest])
    if (part === '**' || !matches(entry.name)) return part === '**' && rest.length === 0 ? [path] : []
    if (rest.length > 0) return entry.isDirectory() ? await below(path, rest) : []
    return entry.isDirectory() ? [] : [path]
  })
  const here = part === '**' && rest.length > 0 ? await below(folder, rest) : []
  return [...here, ...(await Promise.all(found)).flat()]
}

function matcher(part: string): (name: string) => boolean {
  const source = part.replaceAll(/\[!?[^\]/]+\]|[*?]|[\\^$.|+(){}[\]]/g, (piece) => {
    if (piece === '*') return '[^/]*'
    if (piece === '?') return '[^/]'
    if (piece.length > 1) return `[${piece.slice(1, -1).replace(/^!/, '^').replaceAll('\\', '\\\\')}]`
    return `\\${piece}`
  })
  const fits = new RegExp(`^${source}$`, 'u')
  return (name) => fits.test(name)
}

function absentIsNone(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
  throw error
}
