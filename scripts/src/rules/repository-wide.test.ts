import { describe, expect, it } from 'vitest'
import { fileBudget, median } from './budget.ts'
import { freshRule } from './fresh.ts'
import { noPlaces } from './places.ts'
import { buildReferences } from './references.ts'
import { file, manifest, saysOf } from './sample.ts'
import { cleanLockFile, oneVersion, wholeLockFile } from './versions.ts'

const lines = (count: number): string => 'x\n'.repeat(count)

describe('the file budget', () => {
  it('refuses a file over 500 lines, a test too', () => {
    const rows = [file('a.ts', lines(500)), file('b.test.ts', lines(501)), ...small(3)]
    expect(saysOf(fileBudget, ...rows)).toEqual(['501 lines, at most 500'])
  })

  it('refuses a median of 100 among what is not a test', () => {
    const rows = [file('a.ts', lines(99)), file('b.ts', lines(100)), file('c.ts', lines(120))]
    expect(saysOf(fileBudget, ...rows)).toEqual([expect.stringContaining('median of all source files is 100')])
    expect(saysOf(fileBudget, ...rows, ...small(2))).toEqual([])
    expect(saysOf(fileBudget, ...rows, file('small.test.ts', ''), file('tiny.test.ts', ''))).toHaveLength(1)
  })

  it('leaves generated files alone', () => {
    expect(saysOf(fileBudget, file('a.generated.ts', lines(9_000)))).toEqual([])
  })

  it('takes the upper of two in the middle', () => {
    expect(median([4, 1, 3, 2])).toBe(3)
    expect(median([])).toBe(0)
  })

  function small(count: number) {
    return Array.from({ length: count }, (_, index) => file(`small-${index}.ts`, 'x'))
  }
})

describe('the rule about places', () => {
  it.each([
    `see https://${['registry', 'npmjs', 'org'].join('.')}/zod`,
    `image: ${['gcr', 'io'].join('.')}/pause`,
    ...['work', 'root', 'home', 'Users', 'tmp'].map((folder) => `cd /${folder}/somebody`),
    `const folder = '/${'tmp'}/gantry'`,
  ])('refuses %s', (text) => {
    expect(saysOf(noPlaces, file('README.md', text))).toHaveLength(1)
  })

  it.each(['join(tmpdir(), name)', 'packages/work/src', 'a/root/b', '/var/tmp/x', 'the /tmp folder', '$HOME/home/x'])(
    'accepts %s',
    (text) => expect(saysOf(noPlaces, file('README.md', text))).toEqual([]),
  )
})

describe('the rules about versions', () => {
  it('refuse a package that goes by another version, or asks for one', () => {
    const files = [
      manifest('package.json', { version: '0.2.0' }),
      manifest('a/package.json', { version: '0.1.0' }),
      manifest('b/package.json', { version: '0.2.0', devDependencies: { '@gantry/a': '^0.2.0', zod: '4.0.0' } }),
    ]
    expect(saysOf(oneVersion, ...files)).toEqual([
      "its own version is 0.1.0, the repository's 0.2.0",
      "@gantry/a version is ^0.2.0, the repository's 0.2.0",
    ])
  })

  it('refuse a lock file that knows where packages were downloaded, but not its links to rooms', () => {
    const lock = '"resolved": "packages/core",\n"resolved": "https://example.org/zod.tgz",\n"resolved": "git+ssh://x"'
    expect(cleanLockFile.check([file('package-lock.json', lock)]).map(({ line }) => line)).toEqual([2, 3])
  })
})

describe('the rule about a whole lock file', () => {
  it('refuses one that lacks an optional package which another names', () => {
    const lock = { packages: { 'node_modules/a': { optionalDependencies: { 'a-darwin': '1.0.0' } } } }
    expect(saysOf(wholeLockFile, manifest('package-lock.json', lock))).toEqual(['lacks a-darwin: run npm run lock'])
  })
})

describe('the rule about generated files', () => {
  const rule = freshRule([{ path: 'docs/a.md', generate: () => 'new' }])

  it('refuses one that is missing or out of date, and accepts it fresh', () => {
    expect(saysOf(rule)).toEqual(['is missing: run npm run generate'])
    expect(saysOf(rule, file('docs/a.md', 'old'))).toEqual(['is out of date: run npm run generate'])
    expect(saysOf(rule, file('docs/a.md', 'new'))).toEqual([])
  })
})

describe('the rule about build references', () => {
  const core = manifest('packages/core/package.json', { name: '@gantry/core' })
  const store = manifest('packages/store/package.json', {
    name: '@gantry/store',
    dependencies: { '@gantry/core': '1' },
  })
  const root = (...paths: string[]) => manifest('tsconfig.json', { references: paths.map((path) => ({ path })) })

  it('refuses a dependency that is not built first, and a room that is not built', () => {
    expect(saysOf(buildReferences, core, store, root('packages/core'))).toEqual([
      'has no reference to packages/core',
      'does not build packages/store',
    ])
    const config = manifest('packages/store/tsconfig.json', { references: [{ path: '../core' }] })
    expect(saysOf(buildReferences, core, store, config, root('packages/core', 'packages/store'))).toEqual([])
  })
})
