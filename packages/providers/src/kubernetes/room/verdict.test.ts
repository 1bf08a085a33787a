import { describe, expect, it } from 'vitest'
import { prospectOf, type RoomHeard, type Unplaced } from './verdict.ts'

const unplaced = (more: Partial<Unplaced> = {}): Unplaced => ({ message: '1 Insufficient cpu', at: 0, ...more })
const yes = { coming: true, message: '1->2 (max: 8)' }
const no = { coming: false, message: 'max node group size reached' }

describe('a pod that no node takes', () => {
  it.each<[string, Unplaced, RoomHeard, number, 'waits' | 'stuck', string]>([
    ['waits at first', unplaced(), { lookedAt: 9000 }, 9999, 'waits', '1 Insufficient cpu'],
    ['is stuck after a while', unplaced(), { lookedAt: 10_000 }, 10_000, 'stuck', '1 Insufficient cpu'],
    ['waits until it was asked whether somebody helps', unplaced(), {}, 90_000, 'waits', '1 Insufficient cpu'],
    ['waits for an answer that is of then', unplaced(), { lookedAt: 9999 }, 90_000, 'waits', '1 Insufficient cpu'],
    ['waits for a node that comes', unplaced(), { lookedAt: 1, word: yes }, 900_000, 'waits', '1->2 (max: 8)'],
    [
      'waits for others to leave a node for it',
      unplaced({ nominated: 'big' }),
      { lookedAt: 90_000 },
      90_000,
      'waits',
      'room is made for it on node big',
    ],
    [
      'is stuck where whoever could help cannot',
      unplaced(),
      { lookedAt: 5000, word: no, autoscaler: 'karpenter' },
      10_000,
      'stuck',
      '1 Insufficient cpu; max node group size reached',
    ],
    ['waits a moment also then', unplaced(), { lookedAt: 5000, word: no }, 9999, 'waits', '1 Insufficient cpu'],
    [
      'waits for the first word of one that looks after the cluster',
      unplaced(),
      { lookedAt: 59_000, autoscaler: 'karpenter' },
      59_999,
      'waits',
      '1 Insufficient cpu; karpenter has not said yet whether it makes room',
    ],
    [
      'is stuck where that one never says a word',
      unplaced(),
      { lookedAt: 59_000, autoscaler: 'karpenter' },
      60_000,
      'stuck',
      '1 Insufficient cpu',
    ],
  ])('%s', (_, pod, heard, now, state, message) => {
    expect(prospectOf(pod, heard, now)).toMatchObject({ state, message })
  })
})
