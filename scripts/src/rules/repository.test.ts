import { describe, expect, it } from 'vitest'
import { rules } from './all.ts'
import { repositoryFiles } from './files.ts'
import { inWords } from './rule.ts'

const files = repositoryFiles()

describe('this repository', () => {
  it('is looked at as a whole', () => {
    const paths = new Set(files.map(({ path }) => path))
    for (const path of ['package.json', '.ci/run', 'packages/core/src/fault.ts']) expect(paths).toContain(path)
  })

  it.each(rules.map((rule) => [rule.name, rule] as const))('keeps the rule: %s', (_, rule) => {
    expect(rule.check(files).map((offence) => inWords(rule, offence))).toEqual([])
  })
})
