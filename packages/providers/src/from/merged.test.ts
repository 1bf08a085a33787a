import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merged } from './merged.ts'

type Timed = { readonly ts: Date; readonly from: number }

async function* stream(times: readonly number[], from: number): AsyncIterable<Timed> {
  for (const time of times) yield { ts: new Date(time), from }
}

describe('merged streams', () => {
  it('come in order of time, with nothing lost and each stream in its own order', async () => {
    const sorted = fc.array(fc.nat({ max: 50 })).map((times) => times.sort((left, right) => left - right))
    await fc.assert(
      fc.asyncProperty(fc.array(sorted, { maxLength: 5 }), async (streams) => {
        const read: Timed[] = []
        for await (const each of merged(streams.map(stream))) read.push(each)
        const times = read.map(({ ts }) => ts.getTime())
        expect(times).toEqual([...times].sort((left, right) => left - right))
        streams.forEach((own, at) => {
          expect(read.filter(({ from }) => from === at).map(({ ts }) => ts.getTime())).toEqual(own)
        })
      }),
    )
  })

  it('close their sources when the reader leaves', async () => {
    let closed = 0
    async function* endless(): AsyncIterable<Timed> {
      try {
        for (let time = 0; ; time += 1) yield { ts: new Date(time), from: 0 }
      } finally {
        closed += 1
      }
    }
    for await (const { ts } of merged([endless(), endless()])) if (ts.getTime() > 3) break
    expect(closed).toBe(2)
  })
})
