import type { TenantEvent } from '@gantry/api'
import { describe, expect, it } from 'vitest'
import { News, newestOf } from './news.ts'

const event = (message: string, second: number, count = 1): TenantEvent => ({
  type: 'normal',
  reason: 'Changed',
  message,
  by: 'me',
  count,
  firstAt: '2026-01-31T12:00:00Z',
  lastAt: `2026-01-31T12:00:0${second}Z`,
  about: { kind: 'Workload', name: 'web' },
})

describe('what is new of what happened', () => {
  it('is told once, oldest first, and again when it happened again', () => {
    const news = new News()
    const told = (...events: TenantEvent[]) => news.of(events).map(({ message, count }) => `${message} ${count}`)
    expect(told(event('b', 2), event('a', 1))).toEqual(['a 1', 'b 1'])
    expect(told(event('b', 2), event('a', 1))).toEqual([])
    expect(told(event('a', 3, 2), event('b', 2))).toEqual(['a 2'])
  })

  it('is asked for from the newest on', () => {
    expect(newestOf([event('a', 1), event('b', 3)], undefined)).toBe('2026-01-31T12:00:03Z')
    expect(newestOf([], '2026-01-31T12:00:05Z')).toBe('2026-01-31T12:00:05Z')
    expect(newestOf([event('a', 1)], '2026-01-31T12:00:05Z')).toBe('2026-01-31T12:00:05Z')
    expect(newestOf([], undefined)).toBeUndefined()
  })
})
