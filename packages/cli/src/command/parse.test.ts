import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { command } from './command.ts'
import { parse } from './parse.ts'

const shop = command({
  words: ['shop', 'buy'],
  about: 'Buy things',
  args: [
    { name: 'WHAT', about: 'what to buy' },
    { name: 'MORE', about: 'what else', optional: true, many: true },
  ],
  flags: [
    { name: 'size', short: 's', value: 'SIZE', choices: ['small', 'large'], about: 'How large' },
    { name: 'count', value: 'N', number: true, about: 'How many' },
    { name: 'within', value: 'TIME', duration: true, about: 'How soon' },
    { name: 'note', value: 'TEXT', many: true, about: 'What to write on it' },
    { name: 'gift', short: 'g', about: 'Wrapped' },
  ],
  examples: [{ line: 'gantry shop buy bread', about: 'Bread' }],
})
const asked = command({ ...shop, words: ['ask'], args: [], rest: 'COMMAND' })

describe('a line of arguments', () => {
  it('becomes what the command is given, wherever its flags stand', () => {
    const line = ['-s', 'large', 'bread', '--count=3', 'milk', '--gift', '-n', 'acme', 'eggs', '--within', '90s']
    const { input, globals } = parse(shop, line)
    expect(input).toEqual({
      args: { WHAT: 'bread', MORE: ['milk', 'eggs'] },
      flags: { size: 'large', count: 3, within: 90_000, note: [], gift: true },
      rest: [],
    })
    expect(globals).toMatchObject({ tenant: 'acme', verbose: false, help: false })
  })

  it('gives nothing for flags that are left out', () => {
    const { input } = parse(shop, ['bread'])
    expect(input.flags).toEqual({ size: undefined, count: undefined, within: undefined, note: [], gift: false })
    expect(input.args).toEqual({ WHAT: 'bread', MORE: [] })
  })

  it('keeps flags that may be given more than once in order', () => {
    expect(parse(shop, ['bread', '--note', 'a', '--note=b']).input.flags.note).toEqual(['a', 'b'])
  })

  it('takes a dash, a number below zero and an empty text for values', () => {
    const { flags } = parse(shop, ['bread', '--note', '-', '--count', '-2', '--note='] as const).input
    expect(flags).toMatchObject({ note: ['-', ''], count: -2 })
  })

  it('leaves everything behind -- as it is', () => {
    const line = ['-v', '--', 'sh', '-c', 'echo --size', '--', '-x', '']
    const { input, globals } = parse(asked, line)
    expect(input.rest).toEqual(['sh', '-c', 'echo --size', '--', '-x', ''])
    expect(globals.verbose).toBe(true)
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        expect(parse(asked, ['--', ...words]).input.rest).toEqual(words)
      }),
    )
  })

  it('asks for nothing when help is wanted', () => {
    expect(parse(shop, ['--help']).globals.help).toBe(true)
    expect(parse(shop, ['-h', 'bread']).globals.help).toBe(true)
  })

  it.each([
    [[], 'WHAT is missing: what to buy'],
    [['bread', '--sizes', 'x'], 'it has no flag --sizes; did you mean --size?'],
    [['bread', '-x'], 'it has no flag -x'],
    [['bread', '--size'], '--size needs a value, as in --size SIZE'],
    [['bread', '--size', '--gift'], '--size needs a value'],
    [['bread', '--size', 'lage'], 'did you mean large?'],
    [['bread', '--size', 'x'], 'must be one of small, large'],
    [['bread', '--size', 'small', '-s', 'large'], '--size is given twice'],
    [['bread', '--count', 'two'], 'must be a whole number'],
    [['bread', '--count', '1.5'], 'must be a whole number'],
    [['bread', '--within', 'soon'], 'must be a time such as 90s'],
    [['bread', '--gift=yes'], '--gift is a switch and takes no value'],
    [['bread', '--', 'more'], 'it takes nothing behind --: more'],
  ])('refuses %j with what was meant', (line, text) => {
    expect(() => parse(shop, line)).toThrow(text)
    expect(() => parse(shop, line)).toThrow('See "gantry shop buy --help"')
  })

  it('refuses what there is no place for', () => {
    expect(() => parse(asked, ['one', 'two'])).toThrow('it takes no one two')
  })
})
