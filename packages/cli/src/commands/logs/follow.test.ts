import type { WorkloadLog } from '@gantry/api'
import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import { followLogs } from './follow.ts'

const at = (ms: number, line: string): WorkloadLog => ({
  ts: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(),
  service: 'web',
  slot: 'a',
  replica: 0,
  stream: 'stdout',
  line,
})

const cut = new Fault('server_unreachable', 'cut')

/** What each connection brings; one that is undefined cannot be made, and all but the last break off. */
async function follow(connections: readonly (readonly WorkloadLog[] | undefined)[], failing: Fault = cut) {
  const clock = new VirtualClock()
  const asked: (Date | undefined)[] = []
  let losses = 0
  async function* open(since: Date | undefined): AsyncGenerator<WorkloadLog> {
    const lines = connections[asked.push(since) - 1]
    if (lines === undefined) throw failing
    yield* lines.filter(({ ts }) => since === undefined || Date.parse(ts) >= since.getTime())
    if (asked.length < connections.length) throw failing
  }
  const lost = async () => {
    losses += 1
  }
  const signal = new AbortController().signal
  const shown: string[] = []
  let isOver = false
  const reading = (async () => {
    for await (const log of followLogs({ clock, signal, open, lost })) shown.push('line' in log ? log.line : 'gap')
  })().finally(() => {
    isOver = true
  })
  reading.catch(() => undefined)
  while (!isOver) await clock.advance(1000)
  return { shown, asked, losses, failed: await reading.catch((error: unknown) => error) }
}

describe('lines that are followed', () => {
  it('go on where they broke off, and come once each', async () => {
    const before = [at(0, 'one'), at(10_000, 'two'), at(10_001, 'three')]
    const { shown, losses } = await follow([before, undefined, undefined, [...before, at(10_002, 'four')]])
    expect(shown).toEqual(['one', 'two', 'three', 'four'])
    expect(losses).toBe(1)
  })

  it('are told as often as they were written, also if they are the same', async () => {
    const twice = [at(0, 'same'), at(0, 'same')]
    expect((await follow([twice, [...twice, at(0, 'same'), at(1, 'other')]])).shown).toEqual([
      'same',
      'same',
      'same',
      'other',
    ])
  })

  it('are not lost where one came late', async () => {
    const { shown } = await follow([[at(9000, 'new')], [at(8000, 'late'), at(9000, 'new')]])
    expect(shown).toEqual(['new', 'late'])
  })

  it('are asked for from the beginning if none came yet', async () => {
    const { asked, shown } = await follow([undefined, [at(0, 'one')]])
    expect([asked, shown]).toEqual([[undefined, undefined], ['one']])
  })

  it('end with what is not a loss, and with a loss that lasts', async () => {
    const denied = new Fault('permission_denied', 'no')
    expect(await follow([undefined, []], denied)).toMatchObject({ failed: denied, losses: 0 })
    expect(await follow(Array.from({ length: 500 }, () => undefined))).toMatchObject({ failed: cut, losses: 1 })
  })
})
