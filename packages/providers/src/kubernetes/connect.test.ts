import { deferred } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { Connection } from '../connection.ts'
import { closedWhenQuiet } from './connect.ts'

/** As one through the API is: it takes no end. */
function heard() {
  const closed = deferred<void>()
  const words: (() => void)[] = []
  async function* incoming(): AsyncIterable<Uint8Array> {
    for (;;) yield await new Promise<Uint8Array>((resolve) => words.push(() => resolve(Buffer.from('word'))))
  }
  const connection: Connection = {
    incoming: incoming(),
    write: async () => undefined,
    end: async () => undefined,
    closed: closed.promise,
    close: () => closed.resolve(),
  }
  return { connection, say: () => words.shift()?.() }
}

describe('a connection through the API', () => {
  it('stays while its caller may say more, and a minute after the last word that came behind its end', async () => {
    const clock = new VirtualClock()
    const { connection, say } = heard()
    let isOver = false
    void connection.closed.then(() => {
      isOver = true
    })
    const kept = closedWhenQuiet(connection, clock)
    const reading = (async () => {
      for await (const _ of kept.incoming) if (isOver) return
    })()
    await clock.advance(3_600_000)
    expect(isOver).toBe(false)
    await kept.end()
    await clock.advance(59_000)
    say()
    await clock.advance(59_000)
    expect(isOver).toBe(false)
    await clock.advance(1_000)
    expect(isOver).toBe(true)
    expect(clock.pending).toBe(0)
    say()
    await reading
  })
})
