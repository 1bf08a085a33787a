import { describe, expect, it } from 'vitest'
import { forMany } from './many.ts'

describe('the same for many', () => {
  it('answers in their order, and does no more at once than it may', async () => {
    let now = 0
    let most = 0
    const doubled = await forMany(
      [1, 2, 3, 4, 5],
      async (each) => {
        now += 1
        most = Math.max(most, now)
        await Promise.resolve()
        now -= 1
        return each * 2
      },
      2,
    )
    expect(doubled).toEqual([2, 4, 6, 8, 10])
    expect(most).toBe(2)
    expect(await forMany([], async () => 1)).toEqual([])
  })

  it('begins no more after the first that fails, and waits for those under way', async () => {
    const begun: number[] = []
    let ended = 0
    const work = forMany(
      [1, 2, 3, 4],
      async (each) => {
        begun.push(each)
        if (each === 1) throw new Error('no')
        await Promise.resolve()
        ended += 1
      },
      2,
    )
    await expect(work).rejects.toThrow('no')
    expect(begun).toEqual([1, 2])
    expect(ended).toBe(1)
  })
})
