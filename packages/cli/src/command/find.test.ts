import { describe, expect, it } from 'vitest'
import { type Command, command, type Entry } from './command.ts'
import { type Found, findCommand } from './find.ts'

const named = (...words: [string, ...string[]]): Command =>
  command({
    words,
    about: 'Does it',
    args: [],
    flags: [],
    examples: [{ line: `gantry ${words.join(' ')}`, about: 'It' }],
  })

const table: Entry[] = [
  named('get'),
  named('delete'),
  named('version'),
  named('rollout', 'pause'),
  named('rollout', 'resume'),
  { ...named('__complete'), hidden: true },
].map((one) => ({ command: one, load: () => Promise.reject(new Error('not loaded')) }))

function said(found: Found): string {
  if ('group' in found) return `help of ${found.group.join(' ') || 'all'}${found.asked ? '' : ', not asked for'}`
  return `${found.entry.command.words.join(' ')} | ${found.words.join(' ')}`
}

describe('a line', () => {
  it.each([
    ['get wl web', 'get | wl web'],
    ['-n acme get wl', 'get | -n acme wl'],
    ['--tenant=acme -v get wl', 'get | --tenant=acme -v wl'],
    ['rollout pause web', 'rollout pause | web'],
    ['-v rollout -n acme pause web -x', 'rollout pause | -v -n acme web -x'],
    ['rm web', 'delete | web'],
    ['ls', 'get | '],
    ['--version', 'version | '],
    ['get --help', 'get | --help'],
    ['help get', 'get | --help'],
    ['--help get', 'get | --help'],
    ['help rollout pause', 'rollout pause | --help'],
    ['', 'help of all'],
    ['help', 'help of all'],
    ['-h', 'help of all'],
    ['rollout', 'help of rollout, not asked for'],
    ['rollout -n acme', 'help of rollout, not asked for'],
    ['rollout --help', 'help of rollout'],
    ['help rollout', 'help of rollout'],
  ])('%j means %s', (line, meant) => {
    expect(said(findCommand(table, line.split(' ')))).toBe(meant)
  })

  it.each([
    ['gett', 'There is no command "gett"; did you mean "gantry get"?'],
    ['nonsense', 'There is no command "nonsense"; "gantry --help" shows what there is'],
    ['help gett', 'did you mean "gantry get"?'],
    ['rollout paus', 'The command "rollout" has no "paus"; did you mean "gantry rollout pause"?'],
    ['rollout xyzzy', '"gantry rollout --help" shows what there is'],
  ])('%j is refused with what was meant', (line, text) => {
    expect(() => findCommand(table, line.split(' '))).toThrow(text)
  })

  it('is never answered with a command that is for programs', () => {
    expect(() => findCommand(table, ['__complet'])).toThrow(/There is no command "__complet"; "gantry --help"/)
  })
})
