import { describe, expect, it } from 'vitest'
import { ByteQueue } from './byte-queue.ts'

const chunk = new Uint8Array(300_000)

function queue() {
  const told: boolean[] = []
  return { told, queue: new ByteQueue((isHeld) => told.push(isHeld)) }
}

describe('bytes that come faster than they are read', () => {
  it('are held back until little is left', async () => {
    const { told, queue: bytes } = queue()
    const reader = bytes[Symbol.asyncIterator]()
    bytes.push(chunk)
    await reader.next()
    for (let at = 0; at < 4; at++) bytes.push(chunk)
    expect(told).toEqual([true])
    for (let at = 0; at < 3; at++) await reader.next()
    expect(told).toEqual([true])
    await reader.next()
    expect(told).toEqual([true, false])
  })

  it('are all taken while nobody reads, so that the end still comes', () => {
    const { told, queue: bytes } = queue()
    for (let at = 0; at < 50; at++) bytes.push(chunk)
    bytes.end()
    expect(told).toEqual([])
  })

  it('come again when the reader leaves, or the other side has ended', async () => {
    const left = queue()
    const reader = left.queue[Symbol.asyncIterator]()
    left.queue.push(chunk)
    await reader.next()
    for (let at = 0; at < 4; at++) left.queue.push(chunk)
    await reader.return()
    expect(left.told).toEqual([true, false])

    const ended = queue()
    ended.queue.push(chunk)
    const other = ended.queue[Symbol.asyncIterator]()
    await other.next()
    for (let at = 0; at < 4; at++) ended.queue.push(chunk)
    ended.queue.end()
    expect(ended.told).toEqual([true, false])
    let rest = 0
    for (let next = await other.next(); !next.done; next = await other.next()) rest += next.value.length
    expect(rest).toBe(4 * chunk.length)
  })
})
