import { describe, expect, it } from 'vitest'
import { coloured, plain } from '../../output/style.ts'
import { hasSeveral, lineWriter } from './line.ts'

const about = { ts: '2026-01-31T12:00:00.000Z', service: 'web', slot: 'a', stream: 'stdout' } as const

describe('a line of a log', () => {
  it('says whose it is from when a second one is heard', () => {
    const show = lineWriter({ prefixes: false, timestamps: false, style: plain })
    expect(show({ ...about, replica: 0, line: 'one' })).toEqual({ out: 'one\n' })
    expect(show({ ...about, replica: 1, line: 'two' })).toEqual({ out: 'web/1 two\n' })
    expect(show({ ...about, replica: 0, line: 'three' })).toEqual({ out: 'web/0 three\n' })
  })

  it('keeps the colour of whose it is', () => {
    const show = lineWriter({ prefixes: true, timestamps: false, style: coloured })
    const first = show({ ...about, replica: 0, line: 'x' }).out
    expect(show({ ...about, replica: 1, line: 'x' }).out?.replace('web/1', 'web/0')).not.toBe(first)
    expect(show({ ...about, replica: 0, line: 'x' }).out).toBe(first)
  })

  it('that is missing is told apart from lines', () => {
    const show = lineWriter({ prefixes: false, timestamps: true, style: plain })
    const { out, err } = show({ ...about, replica: 0, gap: 'the engine discarded them' })
    expect(out).toBeUndefined()
    expect(err).toBe('web/0 at 2026-01-31T12:00:00.000Z: lines are missing here: the engine discarded them\n')
  })

  it.each([
    [2, ['web'], {}, true],
    [1, ['web'], {}, false],
    [1, ['web', 'side'], {}, true],
    [3, ['web', 'side'], { service: 'web' }, true],
    [3, ['web'], { replica: 0 }, false],
    [3, ['web', 'side'], { replica: 0, service: 'side' }, false],
  ])('of %i replicas of %j, chosen by %j, may be of several: %s', (replicas, names, chosen, expected) => {
    expect(hasSeveral({ replicas, services: names.map((name) => ({ name })) }, chosen)).toBe(expected)
  })
})
