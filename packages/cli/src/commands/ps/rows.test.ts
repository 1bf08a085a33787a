import { describe, expect, it } from 'vitest'
import { plain } from '../../output/style.ts'
import { at, epoch, instance, replica } from '../../progress/testing/samples.ts'
import { replicaItems, replicaTable } from './rows.ts'

describe('replicas as a table', () => {
  const blind = { reason: 'engine_unreachable', message: 'No socket', since: at(50) }
  const items = replicaItems([
    instance([replica(0)], { blind }, { slot: 'b' }),
    instance([
      replica(0),
      replica(1, { ready: false }, { phase: 'crashed', restarts: 3 }),
      replica(2, { terminating: true }),
    ]),
    instance([replica(0, { ready: false, endpoints: [] }, { phase: 'starting' })], {}, { workload: 'api' }),
  ])

  it('says how each is, and of what nothing is known', () => {
    expect(
      replicaTable(items, false, epoch + 60_000, plain),
    ).toBe(`WORKLOAD   REPLICA   RELEASE   STATE      RESTARTS   SINCE   ENDPOINT
api        a/0       v2        starting   0          60s     -
web        a/0       v2        ready      0          60s     http 127.0.0.1:2000
web        a/1       v2        crashed    3          59s     http 127.0.0.1:2001
web        a/2       v2        leaving    0          58s     http 127.0.0.1:2002
web        b/0       v2        unknown    0          10s     http 127.0.0.1:2000
`)
  })

  it('marks what cannot be dialled', () => {
    const [endpoint] = replica(0).endpoints
    const far = replica(0, { endpoints: endpoint ? [{ ...endpoint, via: 'tunnel' }] : [] })
    const shown = replicaTable(replicaItems([instance([far])]), false, epoch, plain)
    expect(shown).toContain('http 127.0.0.1:2000 (tunnel)\n')
  })

  it('says more when asked', () => {
    expect(replicaTable(items, true, epoch, plain)).toContain('local      e1          web crashed')
  })
})
