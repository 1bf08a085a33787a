import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Desired, InPlaceUpdate } from '../desired.ts'
import { nextMoves, type ReplicaView } from './plan.ts'

const rolling = (maxSurge: number, maxUnavailable: number): InPlaceUpdate => ({
  type: 'rolling',
  maxSurge,
  maxUnavailable,
  minReadySeconds: 0,
})

const wanting = (more: Partial<Desired>): Desired => ({
  ref: { tenant: 't', workload: 'w', uid: 'u', slot: 'a' },
  installation: 'i',
  labels: {},
  type: 'deployment',
  run: 'running',
  replicas: 2,
  release: 'v2',
  specHash: 'new',
  services: [],
  restart: { policy: 'always', maxPerHour: 20 },
  update: rolling(1, 0),
  stopGraceSeconds: 10,
  expose: 'none',
  engine: {},
  ...more,
})

const view = (index: number, more: Partial<ReplicaView> = {}): ReplicaView => ({
  id: `r${index}`,
  index,
  specHash: 'new',
  terminating: false,
  failed: undefined,
  readySince: 0,
  ...more,
})

const old = (index: number): ReplicaView => view(index, { specHash: 'old' })
const unready = (index: number): ReplicaView => view(index, { readySince: undefined })
const words = (moves: ReturnType<typeof nextMoves>): string[] =>
  moves.moves.map((move) => (move.do === 'create' ? `create ${move.index}` : `end ${move.id}`))

describe('the next moves of the simulated engine', () => {
  it.each([
    ['makes what is missing', wanting({}), [], ['create 0', 'create 1']],
    ['rests when all is there', wanting({}), [view(0), view(1)], []],
    ['adds a surplus first, within the surge', wanting({}), [old(0), old(1)], ['create 2']],
    ['waits until the surplus is ready', wanting({}), [old(0), old(1), unready(2)], []],
    ['lets an old one go when the new one is ready', wanting({}), [old(0), old(1), view(2)], ['end r0']],
    ['takes one away first without a surge', wanting({ update: rolling(0, 1) }), [old(0), old(1)], ['end r0']],
    [
      'ends an old one that is not ready at once',
      wanting({}),
      [old(0), { ...old(1), readySince: undefined }],
      ['end r1', 'create 2'],
    ],
    ['scales down from the highest', wanting({ replicas: 1 }), [view(0), view(1), view(2)], ['end r2', 'end r1']],
    ['ends all that is stopped', wanting({ run: 'stopped' }), [view(0), old(1)], ['end r0', 'end r1']],
    [
      'ends all old ones before a recreate',
      wanting({ update: { type: 'recreate', minReadySeconds: 0 } }),
      [old(0), old(1)],
      ['end r0', 'end r1'],
    ],
    [
      'replaces one that failed',
      wanting({ replicas: 1 }),
      [view(0, { failed: 'again', readySince: undefined })],
      ['end r0'],
    ],
    [
      'leaves one that has failed for good',
      wanting({ replicas: 1 }),
      [view(0, { failed: 'final', readySince: undefined })],
      [],
    ],
    ['makes stateful ones one by one', wanting({ type: 'stateful_set' }), [], ['create 0']],
    ['waits for the one before', wanting({ type: 'stateful_set' }), [unready(0)], []],
    ['replaces stateful ones from the highest', wanting({ type: 'stateful_set' }), [old(0), old(1)], ['end r1']],
    ['fills a hole with the same number', wanting({ type: 'stateful_set' }), [old(0)], ['create 1']],
  ] as const)('%s', (_what, desired, replicas, expected) => {
    expect(words(nextMoves(desired, replicas, 0, true))).toEqual(expected)
  })

  it('waits for minReadySeconds, and says how long', () => {
    const desired = wanting({ replicas: 1, update: { type: 'recreate', minReadySeconds: 5 } })
    expect(nextMoves(desired, [view(0, { readySince: 0 })], 2000, true)).toMatchObject({ moves: [], afterMs: 3000 })
    expect(nextMoves(desired, [view(0, { readySince: 0 })], 5000, true).waiting).toBeUndefined()
  })

  it('comes from any state to what is wanted, within its limits at every step', () => {
    const replica = fc.record({ old: fc.boolean(), ready: fc.boolean() })
    const update = fc.constantFrom(rolling(1, 0), rolling(0, 1), rolling(2, 1), {
      type: 'recreate' as const,
      minReadySeconds: 0,
    })
    const type = fc.constantFrom('deployment' as const, 'stateful_set' as const)
    fc.assert(
      fc.property(
        fc.array(replica, { maxLength: 6 }),
        fc.nat({ max: 5 }),
        update,
        type,
        (start, replicas, how, kind) => {
          const desired = wanting({ replicas, update: how, type: kind })
          let next = start.length
          let state = start.map(({ old: isOld, ready }, at) => ({
            ...(ready ? view(at) : unready(at)),
            specHash: isOld ? 'old' : 'new',
          }))
          for (let step = 0; step < 60; step += 1) {
            const { moves, waiting } = nextMoves(desired, state, 0, true)
            if (waiting === undefined) break
            const ended = new Set(moves.flatMap((move) => (move.do === 'end' ? [move.id] : [])))
            const made = moves.flatMap((move) =>
              move.do === 'create' ? [{ ...unready(move.index), id: `n${next++}` }] : [],
            )
            // What was made earlier becomes ready; what was ended is gone.
            state = [...state.filter(({ id }) => !ended.has(id)).map((each) => ({ ...each, readySince: 0 })), ...made]
            if (how.type === 'rolling' && kind === 'deployment') {
              expect(state.length).toBeLessThanOrEqual(Math.max(start.length, replicas + how.maxSurge))
            }
            expect(new Set(state.map(({ index }) => index)).size).toBe(state.length)
          }
          expect(state.map(({ specHash }) => specHash)).toEqual(Array(replicas).fill('new'))
          if (kind === 'stateful_set') {
            expect(state.map(({ index }) => index).sort()).toEqual(Array.from({ length: replicas }, (_, at) => at))
          }
        },
      ),
    )
  })
})
