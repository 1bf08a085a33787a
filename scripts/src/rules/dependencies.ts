/** Each room declares what it imports, and nothing else; what only its tests need is a dependency of development. */
import { importsOf, packageOf } from './imports-of.ts'
import { isSource, isTest, type Offence, type RepoFile, type Rule } from './rule.ts'

type Manifest = {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly scripts?: Record<string, string>
}
type Use = { readonly name: string; readonly path: string; readonly line: number }

/** Tools of the root that are called by a name of their own. */
const programs: Readonly<Record<string, string>> = { typescript: 'tsc', '@biomejs/biome': 'biome' }

export const declaredDependencies: Rule = {
  name: 'dependencies declared and used',
  check(files) {
    const root = manifestOf(files, 'package.json')
    const rooms = files.filter(({ path }) => /^.+\/package\.json$/.test(path))
    return [...rooms.flatMap((file) => checkRoom(file, files, root)), ...checkRoot(files, root)]
  },
}

function checkRoom(manifestFile: RepoFile, files: readonly RepoFile[], root: Manifest): Offence[] {
  const folder = manifestFile.path.replace(/package\.json$/, '')
  const manifest = JSON.parse(manifestFile.text) as Manifest
  const sources = files.filter((file) => isSource(file) && file.path.startsWith(folder))
  const product = sources.filter((file) => !isTest(file)).flatMap(usesOf)
  const tests = sources.filter(isTest).flatMap(usesOf)
  const offered = sources.filter((file) => isTest(file) && !file.path.endsWith('.test.ts')).flatMap(usesOf)
  const shipped = Object.keys({
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  })
  const forTests = [...Object.keys({ ...manifest.devDependencies, ...root.devDependencies }), ...shipped]
  const declaredTwice = Object.keys(manifest.devDependencies ?? {}).filter((name) => shipped.includes(name))
  const unused = (names: readonly string[], uses: readonly Use[]): string[] =>
    names.filter((name) => !uses.some((use) => use.name === name || name === typesOf(use.name)))
  const offence = (what: string): Offence => ({ path: manifestFile.path, line: 1, what })
  return [
    ...product.filter((use) => !shipped.includes(use.name)).map((use) => undeclared(use, 'dependencies')),
    ...tests.filter((use) => !forTests.includes(use.name)).map((use) => undeclared(use, 'devDependencies')),
    ...unused(shipped, [...product, ...offered]).map((name) =>
      offence(`${name} is a dependency, but nothing outside of tests imports it`),
    ),
    ...unused(Object.keys(manifest.devDependencies ?? {}), [...tests, ...product]).map((name) =>
      offence(`${name} is a dependency of development, but nothing imports it`),
    ),
    ...declaredTwice.map((name) => offence(`${name} is declared twice`)),
  ]
}

function checkRoot(files: readonly RepoFile[], root: Manifest): Offence[] {
  const used = new Set(
    files
      .filter(isSource)
      .flatMap(usesOf)
      .map(({ name }) => name),
  )
  const scripts = Object.values(root.scripts ?? {}).join('\n')
  const isUsed = (name: string): boolean =>
    used.has(name) || name === '@types/node' || (name in programs && scripts.includes(programs[name] ?? name))
  return Object.keys({ ...root.dependencies, ...root.devDependencies })
    .filter((name) => !isUsed(name))
    .map((name) => ({ path: 'package.json', line: 1, what: `${name} is used by nothing` }))
}

function usesOf(file: RepoFile): Use[] {
  return importsOf(file).flatMap(({ specifier, line }) => {
    const name = packageOf(specifier)
    return name ? [{ name, path: file.path, line }] : []
  })
}

function undeclared({ name, path, line }: Use, where: string): Offence {
  return { path, line, what: `${name} is not in the ${where} of its room` }
}

function typesOf(name: string): string {
  return `@types/${name.replace('@', '').replace('/', '__')}`
}

function manifestOf(files: readonly RepoFile[], path: string): Manifest {
  return JSON.parse(files.find((file) => file.path === path)?.text ?? '{}') as Manifest
}
