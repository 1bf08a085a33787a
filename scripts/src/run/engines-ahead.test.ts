import { describe, expect, it } from 'vitest'
import { wantsEngines } from './engines-ahead.ts'

describe('programs of engines', () => {
  it.each([
    [[], true],
    [['packages/providers'], true],
    [['packages/providers/src/kubernetes/plan'], true],
    [['packages/core'], false],
    [['--config', 'scripts/src/run/fixtures/fixtures.config.ts', 'passes.fixture'], false],
  ])('are made before a run of %j: %s', (args, wanted) => {
    expect(wantsEngines(args)).toBe(wanted)
  })
})
