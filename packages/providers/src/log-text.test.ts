import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineLog } from './log-line.ts'
import { lastOf, linesOf } from './log-text.ts'

const at = new Date(0)
const texts = (logs: readonly EngineLog[]): string[] =>
  logs.flatMap((log) => (log.type === 'gap' ? [`gap ${log.message}`] : linesOf(log.text)))

describe('the last of what was logged', () => {
  it('is as many lines as were asked for, wherever they were cut into batches, and keeps the cursors', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 3 })
    const lines = fc.array(line, { minLength: 1, maxLength: 6 }).map((all) => all.map((each) => `${each}\n`).join(''))
    const log = fc.oneof(
      lines.map((text): EngineLog => ({ type: 'lines', at, stream: 'stdout', text, cursor: text })),
      fc.constant<EngineLog>({ type: 'gap', at, message: 'lost', cursor: 'gap' }),
    )
    fc.assert(
      fc.property(fc.array(log, { maxLength: 8 }), fc.nat(30), (logs, count) => {
        const last = lastOf(logs, count)
        expect(texts(last)).toEqual(count === 0 ? [] : texts(logs).slice(-count))
        expect(last.map(({ cursor }) => cursor)).toEqual(
          logs.slice(logs.length - last.length).map((each) => each.cursor),
        )
      }),
    )
  })
})
