import { describe, expect, it } from 'vitest'
import { Kit } from '../contract/kit.ts'
import { checkDesired } from '../simulated/check.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { commonIssues } from './common-issues.ts'

const kit = new Kit(await simulatedHarness())

describe('a wish to another engine', () => {
  it('is refused with its path by every engine that is not that one', () => {
    const desired = kit.desired({ engine: { kubernetes: { storageClass: 'fast' } } })
    const issue = { path: 'spec.engine.kubernetes', message: expect.stringMatching(/only kubernetes understands/) }
    expect(commonIssues(desired)).toEqual([issue])
    expect(checkDesired(desired)).toEqual([issue])
  })

  it('is none where there is none', () => {
    expect(commonIssues(kit.desired())).toEqual([])
  })
})
