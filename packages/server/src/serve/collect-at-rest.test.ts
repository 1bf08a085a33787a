import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { collectAtRest, restMs, restsToSecond, worthBytes } from './collect-at-rest.ts'
import { collectGarbage } from './collect-garbage.ts'

function setUp() {
  const clock = new VirtualClock()
  const server = { busy: 0, bytes: 100_000_000, collections: 0 }
  const stop = collectAtRest({
    clock,
    busyMs: () => server.busy,
    bytes: () => server.bytes,
    collect: async () => {
      server.collections += 1
      server.bytes = 50_000_000
    },
  })
  return { clock, server, stop }
}

describe('a server that rests', () => {
  it('is collected, once more after a while, and not again while it rests on', async () => {
    const { clock, server } = setUp()
    await clock.advance(restMs)
    expect(server.collections).toBe(1)
    await clock.advance((restsToSecond - 1) * restMs)
    expect(server.collections).toBe(1)
    await clock.advance(restMs)
    expect(server.collections).toBe(2)
    await clock.advance(10 * restMs)
    expect(server.collections).toBe(2)
  })

  it('is not collected while it is busy, and is once that is over', async () => {
    const { clock, server } = setUp()
    for (let times = 0; times < 3; times += 1) {
      server.busy += restMs / 2
      await clock.advance(restMs)
    }
    expect(server.collections).toBe(0)
    await clock.advance(restMs)
    expect(server.collections).toBe(1)
  })

  it('is collected again when it has come to hold much more since', async () => {
    const { clock, server } = setUp()
    await clock.advance((1 + restsToSecond) * restMs)
    server.bytes += worthBytes
    await clock.advance(restMs)
    expect(server.collections).toBe(2)
    server.bytes += 1
    await clock.advance(restMs)
    expect(server.collections).toBe(3)
  })

  it('is left alone once it stops', async () => {
    const { clock, server, stop } = setUp()
    stop()
    await clock.advance(10 * restMs)
    expect(server.collections).toBe(0)
  })

  it('frees what nobody holds any more', async () => {
    let held: object | undefined = { of: 'somebody' }
    const reference = new WeakRef(held)
    held = undefined
    // A weak reference keeps its object until the turn is over.
    await new Promise((resolve) => setImmediate(resolve))
    await collectGarbage()
    expect(reference.deref()).toBeUndefined()
  })
})
