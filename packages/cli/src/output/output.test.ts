import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { age } from './age.ts'
import { fieldLines, indented, moment, section } from './sections.ts'
import { coloured, plain } from './style.ts'
import { line, table, width, widthsOf } from './table.ts'
import { wrap } from './wrap.ts'

const now = Date.parse('2026-01-31T12:00:00Z')
const ago = (ms: number): string => new Date(now - ms).toISOString()
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

describe('an age', () => {
  it.each([
    [0, '0s'],
    [59 * second, '59s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [119 * minute, '119m'],
    [2 * hour, '2h'],
    [2 * hour + 20 * minute, '2h20m'],
    [10 * hour + 20 * minute, '10h'],
    [47 * hour, '47h'],
    [2 * day, '2d'],
    [400 * day, '400d'],
    [-5 * second, '0s'],
  ])('of %d ms is %s', (ms, text) => {
    expect(age(ago(ms), now)).toBe(text)
  })

  it('is a dash where there is no time', () => {
    expect([age(undefined, now), age('soon', now)]).toEqual(['-', '-'])
    expect(moment(ago(5000), now)).toBe('2026-01-31T11:59:55.000Z (5s ago)')
  })
})

describe('a table', () => {
  it('has columns as wide as their widest cell, and nothing behind the last', () => {
    expect(
      table(
        ['NAME', 'STATE'],
        [
          ['a', 'running'],
          ['longer', ''],
        ],
      ),
    ).toBe('NAME     STATE\na        running\nlonger\n')
  })

  it('counts what is seen: colours take no room, wide letters take two', () => {
    const paint = (text: string) => `\u001b[31m${text}\u001b[39m`
    expect(table(['A', 'B'], [[{ text: 'bad', paint }, 'x']])).toBe('A     B\n\u001b[31mbad\u001b[39m   x\n')
    expect([width('ab'), width('日本'), width('🚀')]).toEqual([2, 4, 2])
    expect(
      table(
        ['A', 'B'],
        [
          ['日本', 'x'],
          ['abcd', 'y'],
        ],
      ),
    ).toBe('A      B\n日本   x\nabcd   y\n')
  })

  it('lets no text of others write over the screen', () => {
    expect(table(['A'], [['a\u001b[2Jb\nc\r']])).toBe('A\na [2Jb c\n')
  })

  it('keeps its columns as wide as they were', () => {
    const widths = widthsOf([['aaaa', 'b']], [2, 6])
    expect(widths).toEqual([4, 6])
    expect(line(['x', 'y', 'z'], widths)).toBe('x      y        z\n')
  })
})

describe('text in lines', () => {
  it('is broken between words and loses none', () => {
    const texts = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 9, max: 40 }), (words, columns) => {
        const lines = wrap(words.join(' '), columns).split('\n')
        expect(lines.flatMap((one) => one.split(' '))).toEqual(words)
        for (const one of lines) expect(one.length).toBeLessThanOrEqual(columns)
      }),
    )
  })

  it('has fields side by side, without those that are not known', () => {
    const fields = [
      ['Name', 'web'],
      ['Nothing', undefined],
      ['Long label', 'two\nlines'],
    ] as const
    expect(fieldLines(fields, '  ')).toBe('  Name:        web\n  Long label:  two\n               lines\n')
  })

  it('has parts under titles, and no title over nothing', () => {
    expect(section('Events', 'a\n\nb\n')).toBe('\nEvents:\n  a\n\n  b\n')
    expect(section('Events', '')).toBe('')
    expect(indented('a\nb')).toBe('  a\n  b')
  })
})

describe('colours', () => {
  it('are the same for the same number, and none where they cannot be seen', () => {
    expect(coloured.nth(3, 'x')).toBe(coloured.nth(13, 'x'))
    expect(coloured.bad('x')).toBe('\u001b[31mx\u001b[39m')
    expect(coloured.bad('')).toBe('')
    for (const paint of [plain.good, plain.bad, plain.warn, plain.dim, plain.strong]) expect(paint('x')).toBe('x')
    expect(plain.nth(1, 'x')).toBe('x')
  })
})
