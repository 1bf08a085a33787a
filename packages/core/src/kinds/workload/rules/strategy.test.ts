import { describe, expect, it } from 'vitest'
import { checkSpec } from '../../../testing/check-workload.ts'

const services = [{ name: 'web' }]

describe('a strategy', () => {
  it.each<[object, string[]]>([
    [{}, []],
    [{ type: 'rolling', maxSurge: 0, maxUnavailable: 1 }, []],
    [{ type: 'rolling', maxSurge: 0, maxUnavailable: 0 }, ['maxUnavailable']],
    [{ maxUnavailable: 0, maxSurge: 0 }, ['maxUnavailable']],
    [{ type: 'recreate', maxSurge: 1 }, ['maxSurge']],
    [{ type: 'rolling', autoPromote: true, steps: [{ weight: 1, manual: true }] }, ['autoPromote', 'steps']],
    [{ type: 'blue_green', autoPromote: false, warmSeconds: 5 }, []],
    [{ type: 'blue_green', maxSurge: 1, analysis: {} }, ['maxSurge', 'analysis']],
    [
      {
        type: 'canary',
        steps: [
          { weight: 10, pauseSeconds: 5 },
          { weight: 50, manual: true },
        ],
      },
      [],
    ],
    [
      {
        type: 'canary',
        steps: [
          { weight: 50, pauseSeconds: 5 },
          { weight: 50, manual: true },
        ],
      },
      ['steps[1].weight'],
    ],
    [{ type: 'canary', steps: [{ weight: 10 }] }, ['steps[0]']],
    [{ type: 'canary', steps: [{ weight: 10, pauseSeconds: 0, manual: true }] }, ['steps[0]']],
    [{ type: 'canary', steps: [] }, ['steps']],
    [{ type: 'canary', steps: [{ weight: 101, manual: true }] }, ['steps[0].weight']],
    [{ type: 'canary', analysis: { maxErrorRate: 2 } }, ['analysis.maxErrorRate']],
    [{ type: 'canary', autoPromote: true }, ['autoPromote']],
  ])('%j is refused at %j', (strategy, paths) => {
    expect(checkSpec({ services, strategy }).map(([path]) => path)).toEqual(paths.map((path) => `strategy.${path}`))
  })

  it.each<[object, string[]]>([
    [{}, []],
    [{ type: 'recreate' }, []],
    [{ type: 'rolling' }, []],
    [{ type: 'rolling', maxSurge: 0, maxUnavailable: 2 }, []],
    [{ type: 'rolling', maxSurge: 1 }, ['maxSurge']],
    [{ type: 'blue_green' }, ['type']],
    [{ type: 'canary' }, ['type']],
  ])('of a stateful_set, %j is refused at %j', (strategy, paths) => {
    const issues = checkSpec({ type: 'stateful_set', services, strategy })
    expect(issues.map(([path]) => path)).toEqual(paths.map((path) => `strategy.${path}`))
  })

  it('that is misspelt is answered with the nearest', () => {
    expect(checkSpec({ services, strategy: { type: 'blue-green' } })).toEqual([
      [
        'strategy.type',
        'must be one of rolling, recreate, blue_green, canary, not "blue-green"; did you mean "blue_green"?',
      ],
    ])
  })
})
