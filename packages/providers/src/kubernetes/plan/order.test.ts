import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { podOrder } from './order.ts'
import { desiredOf, type ServiceInput } from './testing/desired.ts'

type Row = readonly [name: string, role: 'main' | 'sidecar' | 'init', ...needs: string[]]

/** `db!` waits until it is healthy, `db` until it has started. */
function order(...rows: readonly Row[]) {
  const services = rows.map(
    ([name, role, ...needs]): ServiceInput => ({
      name,
      role,
      image: 'app:1',
      dependsOn: needs.map((need) =>
        need.endsWith('!') ? { service: need.slice(0, -1), until: 'healthy' as const } : { service: need },
      ),
    }),
  )
  const { inits, sidecars, containers, healthyFirst } = podOrder(desiredOf({ services }).services)
  const names = (some: readonly { readonly name: string }[]): string => some.map(({ name }) => name).join(' ')
  return [names(inits), names(sidecars), names(containers), [...healthyFirst].sort().join(' ')]
}

describe('services in a pod', () => {
  it.each<[string, readonly Row[], string[]]>([
    ['main alone', [['web', 'main']], ['', '', 'web', '']],
    [
      'main before its sidecars',
      [
        ['a', 'sidecar'],
        ['web', 'main'],
        ['b', 'sidecar'],
      ],
      ['', '', 'web a b', ''],
    ],
    [
      'inits in their order',
      [
        ['i', 'init'],
        ['web', 'main'],
        ['j', 'init'],
      ],
      ['i j', '', 'web', ''],
    ],
    [
      'inits after those they wait for',
      [
        ['i', 'init', 'j'],
        ['web', 'main'],
        ['j', 'init'],
      ],
      ['j i', '', 'web', ''],
    ],
    [
      'no row for who waits for inits alone',
      [
        ['web', 'main', 'i'],
        ['i', 'init'],
      ],
      ['i', '', 'web', ''],
    ],
    [
      'what main waits for before it',
      [
        ['web', 'main', 'db!'],
        ['db', 'sidecar'],
        ['late', 'sidecar'],
      ],
      ['', 'db', 'web late', 'db'],
    ],
    [
      'what that waits for before that',
      [
        ['web', 'main', 'db'],
        ['db', 'sidecar', 'net!'],
        ['net', 'sidecar'],
      ],
      ['', 'net db', 'web', 'net'],
    ],
    [
      'main in the row where somebody waits for it',
      [
        ['web', 'main'],
        ['b', 'sidecar', 'web!'],
      ],
      ['', 'web', 'b', 'web'],
    ],
    [
      'main first where a sidecar is awaited that is none of its own',
      [
        ['c', 'sidecar', 'b!'],
        ['web', 'main'],
        ['b', 'sidecar', 'a!'],
        ['a', 'sidecar'],
      ],
      ['', 'web a b', 'c', 'a b'],
    ],
    [
      'both: what main waits for, main, and what others wait for',
      [
        ['web', 'main', 'db'],
        ['db', 'sidecar'],
        ['c', 'sidecar', 'b'],
        ['b', 'sidecar'],
      ],
      ['', 'db web b', 'c', ''],
    ],
  ])('are: %s', (_, rows, expected) => {
    expect(order(...rows)).toEqual(expected)
  })

  it('are all there once, one at least beside the others, and each after what it waits for', () => {
    const sizes = fc.integer({ min: 1, max: 7 })
    const edges = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 12 })
    fc.assert(
      fc.property(sizes, fc.nat(6), edges, (size, mainAt, wishes) => {
        const services = Array.from({ length: size }, (__, at) => ({
          name: `s${at}`,
          role: at === mainAt % size ? ('main' as const) : ('sidecar' as const),
          // From lower to higher, so never in a circle.
          dependsOn: [...new Set(wishes.flatMap(([from, to]) => (to === at && from < at ? [from] : [])))].map(
            (from) => ({
              service: `s${from}`,
              until: 'healthy' as const,
            }),
          ),
        }))
        const { sidecars, containers } = podOrder(services)
        expect(containers.length).toBeGreaterThan(0)
        expect([...sidecars, ...containers].map(({ name }) => name).sort()).toEqual(services.map(({ name }) => name))
        const row = sidecars.map(({ name }) => name)
        for (const [at, { dependsOn }] of sidecars.entries()) {
          for (const { service } of dependsOn) expect(row.slice(0, at)).toContain(service)
        }
        for (const { dependsOn } of containers) for (const { service } of dependsOn) expect(row).toContain(service)
      }),
    )
  })
})
