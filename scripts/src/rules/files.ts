/** The text files of the repository, as they lie in the working tree. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RepoFile } from './rule.ts'

/** The same place seen from the sources and from the build. */
export const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))

const notOurs = new Set(['node_modules', 'dist', 'coverage', '.git'])
const binary = /\.(png|jpg|gif|ico|woff2|gz|zip|tsbuildinfo|DS_Store)$/

export function repositoryFiles(root = repositoryRoot): RepoFile[] {
  return pathsBelow(root).map((path) => ({
    path: relative(root, path).split(sep).join('/'),
    text: readFileSync(path, 'utf8'),
  }))
}

function pathsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name) || binary.test(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? pathsBelow(path) : entry.isFile() ? [path] : []
  })
}
