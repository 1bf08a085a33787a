import { describe, expect, it } from 'vitest'
import { Retries } from './retries.ts'

const failed = (id: string) => ({ id, failed: 'again' as const, ready: false })

describe('when a failed replica may be made anew', () => {
  it('is later each time, and each failure counts once', () => {
    const retries = new Retries()
    const waits = ['a', 'b', 'c'].map((id) => {
      retries.allow('v1', [failed(id)], 0)
      retries.allow('v1', [failed(id)], 0)
      return retries.retryAt
    })
    expect(waits).toEqual([2000, 4000, 8000])
    for (let more = 0; more < 20; more += 1) retries.allow('v1', [failed(`more ${more}`)], 0)
    expect(retries.retryAt).toBe(300_000)
  })

  it('is at once for another spec, and after one that came up', () => {
    const retries = new Retries()
    expect(retries.allow('v1', [failed('a')], 0)).toBe(false)
    expect(retries.allow('v2', [], 0)).toBe(true)
    expect(retries.allow('v2', [failed('b')], 0)).toBe(false)
    expect(retries.allow('v2', [{ id: 'c', failed: undefined, ready: true }], 0)).toBe(true)
  })
})
