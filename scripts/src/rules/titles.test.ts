import { describe, expect, it } from 'vitest'
import { file, saysOf } from './sample.ts'
import { testTitles } from './titles.ts'

const says = (text: string): string[] => saysOf(testTitles, file('packages/store/src/a.test.ts', text))

describe('the rule about titles of tests', () => {
  it.each([
    ["it('', () => {})", 'the title is empty'],
    ['describe(` `, () => {})', 'the title is empty'],
    ["it.each([1])('', () => {})", 'the title is empty'],
    ["it.only('adds', () => {})", '`only` leaves out'],
    ["describe.only.each([1])('adds', () => {})", '`only` leaves out'],
    ["it.todo('adds')", '`todo` is not a test'],
    ["it.skip('adds', () => {})", 'skips without a reason'],
    ["describe.skip('adds', () => {})", 'skips without a reason'],
    ["it.skipIf(slow)('adds', () => {})", 'skips without a reason'],
    ["it('adds', ({ skip }) => { skip() })", 'skips without a reason'],
    ["it('adds', (test) => { test.skip() })", 'skips without a reason'],
  ])('refuses %s', (text, why) => {
    expect(says(text)).toEqual([expect.stringContaining(why)])
  })

  it.each([
    "it('adds', () => {})",
    "it.each([1])('adds %s', () => {})",
    "it('adds', ({ skip }) => { skip('no server here') })",
    "describe.skip('on PostgreSQL (skipped: no server)', () => {})",
    'iterator.skip(3); list.first.skip()',
  ])('accepts %s', (text) => {
    expect(says(text)).toEqual([])
  })
})
