import { describe, expect, it } from 'vitest'
import { declaredDependencies } from './dependencies.ts'
import { file, manifest, saysOf } from './sample.ts'

const room = (content: object) => manifest('packages/store/package.json', content)
const root = manifest('package.json', { devDependencies: { vitest: '4' }, scripts: {} })
const usesVitest = file('packages/store/src/used.test.ts', "import { it } from 'vitest'")
const product = (text: string) => file('packages/store/src/a.ts', text)
const test = (text: string) => file('packages/store/src/a.test.ts', text)

describe('the rule about dependencies', () => {
  it.each([
    ['a package that is not declared', room({}), product("import { z } from 'zod'"), 'zod is not in the dependencies'],
    [
      'a package that only tests may use',
      room({ devDependencies: { zod: '4' } }),
      product("import { z } from 'zod/v4'"),
      'zod is not in the dependencies',
    ],
    ['a tool of the root in the product', room({}), product("import { it } from 'vitest'"), 'vitest is not in the'],
    ['an undeclared package in a test', room({}), test("import x from '@scope/x'"), '@scope/x is not in the devDep'],
    ['a package that nobody uses', room({ dependencies: { pg: '8' } }), product(''), 'pg is a dependency, but nothing'],
    [
      'a package that only tests use',
      room({ dependencies: { pg: '8' } }),
      test("import pg from 'pg'"),
      'pg is a dependency, but nothing outside of tests',
    ],
    [
      'types of a package that nobody uses',
      room({ devDependencies: { '@types/pg': '8' } }),
      product(''),
      '@types/pg is a dependency of development, but nothing',
    ],
  ])('refuses %s', (_, manifestFile, source, why) => {
    expect(saysOf(declaredDependencies, root, usesVitest, manifestFile, source)).toEqual([expect.stringContaining(why)])
  })

  it('refuses a tool of the root that nothing uses', () => {
    const idle = manifest('package.json', {
      devDependencies: { typescript: '7', left: '1' },
      scripts: { build: 'tsc -b' },
    })
    expect(saysOf(declaredDependencies, idle)).toEqual(['left is used by nothing'])
  })

  it('accepts what is declared where it is used, also by resolving it', () => {
    const declared = room({ dependencies: { pg: '8', late: '1' }, devDependencies: { '@types/pg': '8', only: '1' } })
    const text =
      "import pg from 'pg'; createRequire(import.meta.url).resolve('late'); import 'node:fs'; import './b.ts'"
    const files = [root, usesVitest, declared, product(text), test("import { x } from 'only'")]
    expect(saysOf(declaredDependencies, ...files)).toEqual([])
  })
})
