/** A room that depends on another is built after it: the compiler's references say the same as package.json. */
import { posix } from 'node:path'
import type { Offence, RepoFile, Rule } from './rule.ts'

type Manifest = { name?: string; dependencies?: Record<string, string>; devDependencies?: Record<string, string> }

export const buildReferences: Rule = {
  name: 'build references',
  check(files) {
    const folders = files.filter(({ path }) => path.endsWith('/package.json')).map(({ path }) => posix.dirname(path))
    const nameOf = (folder: string): string | undefined => json<Manifest>(files, `${folder}/package.json`)?.name
    const folderOf = (name: string): string | undefined => folders.find((folder) => nameOf(folder) === name)
    const built = referencesOf(files, '.')
    return folders.flatMap((folder) => {
      const manifest = json<Manifest>(files, `${folder}/package.json`)
      const wanted = Object.keys({ ...manifest?.dependencies, ...manifest?.devDependencies }).flatMap(
        (name) => folderOf(name) ?? [],
      )
      const missing = wanted.filter((one) => !referencesOf(files, folder).includes(one))
      const path = `${folder}/tsconfig.json`
      const offences: Offence[] = missing.map((one) => ({ path, line: 1, what: `has no reference to ${one}` }))
      return built.includes(folder)
        ? offences
        : [...offences, { path: 'tsconfig.json', line: 1, what: `does not build ${folder}` }]
    })
  },
}

function referencesOf(files: readonly RepoFile[], folder: string): string[] {
  const config = json<{ references?: { path: string }[] }>(files, posix.join(folder, 'tsconfig.json'))
  return (config?.references ?? []).map(({ path }) => posix.join(folder, path))
}

function json<T>(files: readonly RepoFile[], path: string): T | undefined {
  const file = files.find((one) => one.path === path)
  return file && (JSON.parse(file.text) as T)
}
