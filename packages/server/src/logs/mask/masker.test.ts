import { Secret } from '@gantry/core'
import { type EngineLines, type EngineLog, linesOf } from '@gantry/providers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Automaton } from './automaton.ts'
import { formsOf } from './forms.ts'
import { mask } from './marks.ts'
import { Masker } from './masker.ts'

const at = new Date(0)
const lines = (texts: readonly string[], cursor = '', stream: EngineLines['stream'] = 'stdout'): EngineLines => ({
  type: 'lines',
  at,
  stream,
  text: texts.map((text) => `${text}\n`).join(''),
  cursor,
})
const line = (text: string, cursor = '', stream: EngineLines['stream'] = 'stdout') => lines([text], cursor, stream)

function run(values: readonly string[], logs: readonly EngineLog[]): string[] {
  const masker = new Masker(new Automaton(values.flatMap((value) => formsOf(new Secret(value)))))
  const out: EngineLog[] = []
  for (const log of logs) masker.push(log, (done) => out.push(done))
  masker.flush((done) => out.push(done))
  return out.flatMap((log) => (log.type === 'lines' ? linesOf(log.text) : [`gap: ${log.message}`]))
}

describe('masking', () => {
  it.each([
    ['a value in a line', ['hunter22'], ['the password is hunter22!'], [`the password is ${mask}!`]],
    ['a value that is all of it', ['hunter22'], ['hunter22'], [mask]],
    ['several, and the same one twice', ['abcd', 'wxyz'], ['abcd wxyz abcd'], [`${mask} ${mask} ${mask}`]],
    ['values that overlap', ['abcdef', 'defghi'], ['xabcdefghiy'], [`x${mask}y`]],
    ['one that begins as another ends', ['aaab', 'aabb'], ['aaabb'], [mask]],
    ['one within another', ['secret-long-value', 'long'], ['a secret-long-value, no long'], [`a ${mask}, no ${mask}`]],
    [
      'a value that a cut line has torn',
      ['0123456789'],
      ['begins 01234', '56789 ends'],
      [`begins ${mask}`, `${mask} ends`],
    ],
    ['a value of several lines', ['first line\nsecond'], ['k: first line', 'second', 'x'], [`k: ${mask}`, mask, 'x']],
    [
      'its lines, where a program puts something before each',
      ['key-line-one\nkey-line-two'],
      ['12:00 key-line-one'],
      [`12:00 ${mask}`],
    ],
    ['what JSON makes of it', ['say "hi"\tnow'], [JSON.stringify({ it: 'say "hi"\tnow' })], [`{"it":"${mask}"}`]],
    ['what base64 makes of it', ['hunter22'], [`basic ${btoa('hunter22')}`], [`basic ${mask}`]],
    ['what an address makes of it', ['p@ss/word'], ['http://u:p%40ss%2Fword@db'], [`http://u:${mask}@db`]],
    ['nothing of what only begins like one', ['hunter22'], ['hunter2', 'hunter'], ['hunter2', 'hunter']],
    ['nothing of less than four characters', ['abc'], ['abc'], ['abc']],
    ['letters beyond the first 256', ['пароль'], ['это пароль'], [`это ${mask}`]],
    [
      'a value of several lines with an empty one',
      ['first line\n\nlast'],
      ['first line', '', 'last'],
      [mask, '', mask],
    ],
  ])('hides %s, be its lines told one by one or at once', (_, values, texts, expected) => {
    const oneByOne = texts.map((text) => line(text))
    expect(run(values, oneByOne)).toEqual(expected)
    expect(run(values, [lines(texts)])).toEqual(expected)
    expect(run(values, [lines(['before', ...texts, 'after'])])).toEqual(['before', ...expected, 'after'])
  })

  it('keeps the order of two streams while one of them is held', () => {
    const logs = [line('0123', '1'), line('between', '2', 'stderr'), line('4567', '3'), line('end', '4')]
    const masker = new Masker(new Automaton(['01234567']))
    const out: EngineLog[] = []
    const seen = logs.map((log) => {
      masker.push(log, (done) => out.push(done))
      return out.length
    })
    expect(seen).toEqual([0, 0, 3, 4])
    expect(out).toMatchObject([`${mask}\n`, 'between\n', `${mask}\n`, 'end\n'].map((text) => ({ text })))
  })

  it('lets go of everything at a gap, which comes after it', () => {
    const gap: EngineLog = { type: 'gap', at, message: 'lost', cursor: '2' }
    expect(run(['01234567'], [line('012345'), gap, line('67')])).toEqual(['012345', 'gap: lost', mask])
  })

  it('holds no more than a bounded number of lines, however many empty ones follow', () => {
    const masker = new Masker(new Automaton(['01234567']))
    let out = 0
    for (const text of ['0123', ...Array.from({ length: 5000 }, () => '')]) masker.push(line(text), () => out++)
    expect(out).toBeGreaterThan(4000)
  })

  it('holds no more than a bounded number of characters, however large what follows is', () => {
    const masker = new Masker(new Automaton(['01234567']))
    let out = 0
    masker.push(line('0123'), () => out++)
    for (let more = 0; more < 100; more += 1) masker.push(line('x'.repeat(100_000), '', 'stderr'), () => out++)
    expect(out).toBeGreaterThan(80)
  })

  it('never lets a value through, wherever the text is cut into lines and batches of lines', () => {
    const letters = fc.constantFrom('a', 'b', 'c')
    const value = fc.string({ unit: letters, minLength: 4, maxLength: 9 })
    const text = fc.array(fc.oneof(value, fc.string({ unit: letters, maxLength: 4 })), { maxLength: 12 })
    const cuts = fc.array(fc.record({ at: fc.nat(60), endsBatch: fc.boolean() }))
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), text, cuts, (values, parts, places) => {
        const whole = [...parts, ...values].join('')
        const batches = cutUp(whole, places)
        const masker = new Masker(new Automaton(values))
        const out: string[] = []
        const take = (log: EngineLog): void => void out.push(...linesOf((log as EngineLines).text))
        for (const batch of batches) masker.push(lines(batch), take)
        masker.flush(take)
        expect(out).toHaveLength(batches.flat().length)
        const visible = out.join('')
        for (const secret of values) expect(visible).not.toContain(secret)
        // What no value covers is all still there.
        const together = batches.map((batch) => batch.join(''))
        expect(visible.replaceAll(mask, '')).toBe(uncovered(whole, values, together))
      }),
    )
  })
})

function cutUp(whole: string, cuts: readonly { readonly at: number; readonly endsBatch: boolean }[]): string[][] {
  const batches: string[][] = [[]]
  let from = 0
  for (const { at: to, endsBatch } of cuts.toSorted((left, right) => left.at - right.at)) {
    if (to > whole.length) break
    batches.at(-1)?.push(whole.slice(from, to))
    if (endsBatch) batches.push([])
    from = to
  }
  batches.at(-1)?.push(whole.slice(from))
  return batches
}

/**
 * Character by character, the slow way. Less than four characters at the end of what came at once may have left before it
 * was known that they belong to a value.
 */
function uncovered(whole: string, values: readonly string[], batches: readonly string[]): string {
  const covered = new Set<number>()
  for (const value of values) {
    for (let from = whole.indexOf(value); from !== -1; from = whole.indexOf(value, from + 1)) {
      for (let at = from; at < from + value.length; at += 1) covered.add(at)
    }
  }
  let end = 0
  for (const { length } of batches) {
    end += length
    const open = Math.max(0, ...values.map((value) => openAt(whole.slice(0, end), value)))
    const isFound = values.some((value) => whole.slice(0, end).endsWith(value))
    if (open < 4 && !isFound) for (let at = end - open; at < end; at += 1) release(at, end)
  }
  return [...whole].filter((_, at) => !covered.has(at)).join('')

  function release(at: number, before: number): void {
    const isCoveredAlready = values.some((value) => {
      for (let from = Math.max(0, at - value.length + 1); from <= at; from += 1) {
        if (from + value.length <= before && whole.startsWith(value, from)) return true
      }
      return false
    })
    if (!isCoveredAlready) covered.delete(at)
  }
}

/** How many characters at the end are the beginning of the value. */
function openAt(text: string, value: string): number {
  for (let length = value.length - 1; length > 0; length -= 1) if (text.endsWith(value.slice(0, length))) return length
  return 0
}

describe('the automaton', () => {
  it('finds the same with and without its shortcut, from any state', () => {
    const unit = fc.constantFrom('a', 'b', 'é', '.', '\\', '\ud83d')
    const text = fc.string({ unit, maxLength: 40 })
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit, minLength: 4, maxLength: 7 }), { minLength: 1 }),
        fc.array(text),
        (all, parts) => {
          const quick = new Automaton(all)
          // A text that is too short for a hint, and of which no line has any, switches the shortcut off.
          const slow = new Automaton([...all, '\u0001'])
          const found: Record<'quick' | 'slow', string[]> = { quick: [], slow: [] }
          let states = { quick: 0, slow: 0 }
          for (const [line, part] of parts.entries()) {
            const note = (of: 'quick' | 'slow') => (end: number, length: number) =>
              found[of].push(`${line} ${end} ${length}`)
            states = {
              quick: quick.scan(part, states.quick, note('quick')),
              slow: slow.scan(part, states.slow, note('slow')),
            }
            expect(quick.openAt(states.quick)).toBe(slow.openAt(states.slow))
          }
          expect(found.quick).toEqual(found.slow)
        },
      ),
    )
  })
})
