import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Progress, startable } from './start-order.ts'

type Services = Parameters<typeof startable>[0]

const service = (name: string, role: 'main' | 'sidecar' | 'init' = 'main', on: readonly string[] = []) => ({
  name,
  role,
  dependsOn: on.map((text) => {
    const [target = '', until = 'started'] = text.split(' ')
    return { service: target, until: until as 'started' | 'healthy' | 'completed' }
  }),
})

const now = (services: Services, progress: Record<string, Progress> = {}): string[] =>
  startable(services, (name) => progress[name] ?? 'waiting')

describe('the order of start', () => {
  it.each([
    ['an init before all else', [service('web'), service('one', 'init')], {}, ['one']],
    ['one init at a time', [service('one', 'init'), service('two', 'init'), service('web')], { one: 'started' }, []],
    [
      'the next init when the first is through',
      [service('one', 'init'), service('two', 'init')],
      { one: 'completed' },
      ['two'],
    ],
    ['an init after the one it depends on', [service('b', 'init', ['a completed']), service('a', 'init')], {}, ['a']],
    ['nothing after an init that failed', [service('one', 'init'), service('web')], { one: 'failed' }, []],
    ['main when all inits are through', [service('web'), service('one', 'init')], { one: 'completed' }, ['web']],
    ['main before a sidecar', [service('helper', 'sidecar'), service('web')], {}, ['web']],
    ['a sidecar once main has started', [service('helper', 'sidecar'), service('web')], { web: 'started' }, ['helper']],
    ['a sidecar that main depends on', [service('db', 'sidecar'), service('web', 'main', ['db'])], {}, ['db']],
    [
      'a sidecar that main depends on through another',
      [service('c', 'sidecar'), service('b', 'sidecar', ['c']), service('web', 'main', ['b'])],
      {},
      ['c'],
    ],
    [
      'nobody before its dependency is healthy',
      [service('db', 'sidecar'), service('web', 'main', ['db healthy'])],
      { db: 'started' },
      [],
    ],
    [
      'main when its dependency is healthy',
      [service('db', 'sidecar'), service('web', 'main', ['db healthy'])],
      { db: 'healthy' },
      ['web'],
    ],
  ] as const)('starts %s', (_what, services, progress, expected) => {
    expect(now(services, progress)).toEqual(expected)
  })

  it('starts every service sooner or later, whatever the dependencies without a circle', () => {
    const some = fc.array(fc.nat({ max: 6 }), { maxLength: 7 })
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 7 }), (edges) => {
        // Each depends only on those before it: no circle.
        const services = edges.map((targets, at) =>
          service(
            `s${at}`,
            at === edges.length - 1 ? 'main' : 'sidecar',
            targets.filter((to) => to < at).map((to) => `s${to} healthy`),
          ),
        )
        const progress: Record<string, Progress> = {}
        for (let round = 0; round <= services.length; round += 1) {
          for (const name of now(services, progress)) progress[name] = 'healthy'
        }
        expect(Object.keys(progress)).toHaveLength(services.length)
      }),
    )
  })
})
