import { describe, expect, it } from 'vitest'
import { channel, failOnAbort } from './channel.ts'

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = []
  for await (const value of stream) read.push(value)
  return read
}

describe('a channel', () => {
  it('gives what was pushed in order, before and after the reader came', async () => {
    const out = channel<number>()
    out.push(1)
    const reading = all(out)
    out.push(2)
    await Promise.resolve()
    out.push(3)
    out.close()
    expect(await reading).toEqual([1, 2, 3])
  })

  it('lets what was pushed be read before it throws', async () => {
    const out = channel<number>()
    out.push(1)
    out.fail(new Error('lost'))
    const read: number[] = []
    const reading = (async () => {
      for await (const value of out) read.push(value)
    })()
    await expect(reading).rejects.toThrow('lost')
    expect(read).toEqual([1])
  })

  it('takes nothing after its end', async () => {
    const out = channel<number>()
    out.close()
    out.push(1)
    expect(await all(out)).toEqual([])
  })

  it('tells the writer when the reader walks away', async () => {
    let left = 0
    const out = channel<number>(() => {
      left += 1
    })
    out.push(1)
    for await (const value of out) if (value === 1) break
    expect(left).toBe(1)
  })

  it('lets go of a reader that walks away while it waits', async () => {
    let left = 0
    const reader = channel<number>(() => {
      left += 1
    })[Symbol.asyncIterator]()
    const waiting = reader.next()
    await reader.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await reader.next()).toEqual({ done: true, value: undefined })
    expect(left).toBe(1)
  })

  it('throws once, and has ended then', async () => {
    const out = channel<number>()
    const reader = out[Symbol.asyncIterator]()
    const waiting = reader.next()
    out.fail(new Error('lost'))
    await expect(waiting).rejects.toThrow('lost')
    expect(await reader.next()).toEqual({ done: true, value: undefined })
  })

  it('keeps order over many thousands', async () => {
    const out = channel<number>()
    const numbers = Array.from({ length: 5000 }, (_, at) => at)
    for (const number of numbers) out.push(number)
    out.close()
    expect(await all(out)).toEqual(numbers)
  })

  it('throws the reason of an abort, also one from before', async () => {
    const reason = new Error('enough')
    const early = channel<number>()
    failOnAbort(early, AbortSignal.abort(reason))
    await expect(all(early)).rejects.toBe(reason)
    const late = channel<number>()
    const leave = new AbortController()
    failOnAbort(late, leave.signal)
    const reading = all(late)
    leave.abort(reason)
    await expect(reading).rejects.toBe(reason)
  })
})
