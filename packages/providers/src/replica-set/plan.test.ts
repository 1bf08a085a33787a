import { describe, expect, it } from 'vitest'
import type { InPlaceUpdate } from '../desired.ts'
import { type Moves, nextMoves } from './plan.ts'
import type { ReplicaView, Wanted } from './view.ts'

const rolling = (maxSurge: number, maxUnavailable: number, minReadySeconds = 0): InPlaceUpdate => ({
  type: 'rolling',
  maxSurge,
  maxUnavailable,
  minReadySeconds,
})
const recreate: InPlaceUpdate = { type: 'recreate', minReadySeconds: 0 }

const wanting = (more: Partial<Wanted>): Wanted => ({
  type: 'deployment',
  run: 'running',
  replicas: 2,
  specHash: 'new',
  update: rolling(1, 0),
  ...more,
})

const view = (index: number, more: Partial<ReplicaView> = {}): ReplicaView => ({
  id: `r${index}`,
  index,
  specHash: 'new',
  leaving: false,
  failed: undefined,
  ready: true,
  readySince: 0,
  ...more,
})

const unready = { ready: false, readySince: undefined }
const unknown = { ready: undefined, readySince: undefined }
const old = (index: number, more: Partial<ReplicaView> = {}): ReplicaView => view(index, { specHash: 'old', ...more })
const coming = (index: number): ReplicaView => view(index, unready)
const leaving = (index: number): ReplicaView => old(index, { leaving: true })
const words = ({ moves }: Moves): string[] =>
  moves.map((move) => (move.do === 'create' ? `create ${move.index}` : `leave ${move.id}`))

const stateful = { type: 'stateful_set', update: rolling(0, 1) } as const

describe('the next moves of a replica set', () => {
  it.each<[string, Wanted, ReplicaView[], string[]]>([
    ['makes what is missing', wanting({}), [], ['create 0', 'create 1']],
    ['rests when all is there', wanting({}), [view(0), view(1)], []],
    ['puts another in the place of one that is gone', wanting({}), [view(1)], ['create 0']],
    ['adds a surplus first, within the surge', wanting({}), [old(0), old(1)], ['create 2']],
    ['waits until the surplus is ready', wanting({}), [old(0), old(1), coming(2)], []],
    ['lets an old one go when the new one is ready', wanting({}), [old(0), old(1), view(2)], ['leave r1']],
    ['does not count on one of which it cannot tell', wanting({}), [old(0), old(1), view(2, unknown)], []],
    [
      'does not end old ones at once of which it cannot tell',
      wanting({}),
      [old(0, unknown), old(1, unknown)],
      ['create 2'],
    ],
    ['takes one away first without a surge', wanting({ update: rolling(0, 1) }), [old(0), old(1)], ['leave r1']],
    ['makes room under the surge by what has left', wanting({}), [leaving(1), old(0), view(2)], ['create 3']],
    ['lets an old one that is not ready go at once', wanting({}), [old(0), old(1, unready)], ['leave r1', 'create 2']],
    [
      'counts an old one that is ready, however short',
      wanting({ update: rolling(1, 0, 60) }),
      [old(0, { readySince: 59_000 }), old(1, { readySince: 59_000 })],
      ['create 2'],
    ],
    ['takes the highest away', wanting({ replicas: 1 }), [view(0), view(1), view(2)], ['leave r2', 'leave r1']],
    ['takes those away first that are not ready', wanting({ replicas: 1 }), [coming(0), view(1)], ['leave r0']],
    ['ends all that is stopped', wanting({ run: 'stopped' }), [view(0), old(1)], ['leave r0', 'leave r1']],
    ['ends all old ones before a recreate', wanting({ update: recreate }), [old(0), old(1)], ['leave r0', 'leave r1']],
    ['waits for the last old one before a recreate', wanting({ update: recreate }), [leaving(0)], []],
    ['replaces one that failed', wanting({ replicas: 1 }), [view(0, { failed: 'again', ...unready })], ['leave r0']],
    ['leaves one that has failed for good', wanting({ replicas: 1 }), [view(0, { failed: 'final', ...unready })], []],
    ['makes stateful ones one by one', wanting(stateful), [], ['create 0']],
    ['waits for the one before', wanting(stateful), [coming(0)], []],
    ['replaces stateful ones from the highest', wanting(stateful), [old(0), old(1)], ['leave r1']],
    ['gives a number away only when it is free', wanting(stateful), [old(0), leaving(1)], []],
    ['fills a hole with the same number', wanting(stateful), [old(0)], ['create 1']],
    ['replaces a stateful one first that serves nobody', wanting(stateful), [old(0, unready), old(1)], ['leave r0']],
    [
      'takes stateful ones away one by one',
      wanting({ ...stateful, replicas: 1 }),
      [view(0), view(1), view(2)],
      ['leave r2'],
    ],
  ])('%s', (_what, wanted, replicas, expected) => {
    expect(words(nextMoves(wanted, replicas, 60_000, true))).toEqual(expected)
  })

  it('waits for minReadySeconds, and says how long', () => {
    const wanted = wanting({ replicas: 1, update: { type: 'recreate', minReadySeconds: 5 } })
    expect(nextMoves(wanted, [view(0)], 2000, true)).toMatchObject({ moves: [], afterMs: 3000 })
    expect(nextMoves(wanted, [view(0)], 5000, true).waiting).toBeUndefined()
  })

  it('leaves one that failed alone until it may be tried anew', () => {
    const failed = view(0, { failed: 'again', ...unready })
    expect(words(nextMoves(wanting({ replicas: 1 }), [failed], 0, false))).toEqual([])
  })

  it.each<[string, Wanted, ReplicaView[], string | undefined]>([
    ['nothing', wanting({}), [view(0), view(1)], undefined],
    ['readiness', wanting({}), [view(0), coming(1)], 'replicas to become ready'],
    ['others to give way', wanting({}), [view(0), old(1)], '1 replica of another release to give way'],
    ['the rest to end', wanting({}), [view(0), view(1), leaving(2)], '1 replica to end'],
    ['the last to end', wanting({ run: 'stopped' }), [leaving(0), leaving(1)], '2 replicas to end'],
  ])('waits for %s', (_what, wanted, replicas, waiting) => {
    expect(nextMoves(wanted, replicas, 60_000, true).waiting).toBe(waiting)
  })
})
