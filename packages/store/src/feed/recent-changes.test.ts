import { describe, expect, it } from 'vitest'
import type { ChangeRow } from '../plan/rows.ts'
import { FeedEvent } from './event.ts'
import { RecentChanges } from './recent-changes.ts'

function changes(count: number, characters: number): RecentChanges {
  const recent = new RecentChanges()
  for (let version = 1; version <= count; version += 1) {
    recent.push(new FeedEvent({ version, body: 'x'.repeat(characters) } as ChangeRow))
    recent.trim()
  }
  return recent
}

describe('the newest changes', () => {
  it('are found by the version before them, without those that were let go', () => {
    const recent = changes(3, 10)
    expect([0, 1, 2, 3].map((version) => recent.after(version)?.row.version)).toEqual([1, 2, 3, undefined])
    recent.forgetUpTo(2)
    expect([0, 1, 2].map((version) => recent.after(version)?.row.version)).toEqual([undefined, undefined, 3])
    recent.clear()
    expect(recent.after(2)).toBeUndefined()
  })

  it('are so many at most where they are small', () => {
    const sizes = [2000, 2001, 2500].map((count) => changes(count, 10).size)
    expect(sizes).toEqual([2000, 1000, 1499])
  })

  it('are fewer where they are large', () => {
    const recent = changes(10_000, 5000)
    expect(recent.size).toBeLessThanOrEqual(400)
    expect(recent.size).toBeGreaterThanOrEqual(200)
    expect(recent.after(9999)?.row.version).toBe(10_000)
  })

  it('are one at least, whatever it takes', () => {
    expect(changes(2, 3_000_000).size).toBe(1)
  })

  it('count anew after some were forgotten', () => {
    const recent = changes(390, 5000)
    recent.forgetUpTo(380)
    for (let version = 391; version <= 700; version += 1) {
      recent.push(new FeedEvent({ version, body: 'x'.repeat(5000) } as ChangeRow))
      recent.trim()
    }
    expect(recent.size).toBe(320)
  })
})
