import { describe, expect, it } from 'vitest'
import { words as wordsOf } from '../commands/edit/editor.ts'
import { commands } from '../commands/table.ts'
import { findCommand } from './find.ts'
import { globalFlags } from './global-flags.ts'
import { commandHelp, groupHelp, helpGroups } from './help.ts'
import { parse } from './parse.ts'

const shown = commands.map(({ command }) => command).filter(({ hidden }) => hidden !== true)
const verbs = new Set(shown.map(({ words }) => words[0]))

describe('help', () => {
  it('has every command in a group, and nothing in a group that is no command', () => {
    const grouped = helpGroups.flatMap(([, words]) => words)
    expect(grouped.toSorted()).toEqual([...verbs].toSorted())
    expect(new Set(grouped).size).toBe(grouped.length)
  })

  it.each(shown.map((command) => [command.words.join(' '), command] as const))(
    'of %s fits into 80 columns',
    (_, command) => {
      const text = commandHelp(command, 80)
      const free = command.examples.flatMap(({ line, about }) => [line, about])
      const long = text
        .split('\n')
        .filter((line) => line.length > 80 && !free.some((one) => line.includes(one)) && !line.startsWith('  gantry '))
      expect(long).toEqual([])
      for (const { name } of [...command.flags, ...globalFlags]) expect(text).toContain(`--${name}`)
      for (const { name } of command.args) expect(text).toContain(name)
    },
  )

  it('shows everything, or one group, in 80 columns', () => {
    for (const text of [groupHelp(commands, [], 80), groupHelp(commands, ['rollout'], 80)]) {
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
    expect(groupHelp(commands, ['rollout'], 80)).toContain('rollout pause')
    expect(groupHelp(commands, [], 80)).not.toContain('__complete')
  })

  const examples = commands.flatMap(({ command }) => command.examples.map(({ line }) => [line, command] as const))
  it.each(examples)('has an example that can be run: %s', (line, command) => {
    const own = line.slice(line.indexOf('gantry '))
    const words = wordsOf(own.split(/ (?:[|<>]|&&) ?/)[0] ?? '').slice(1)
    const found = findCommand(commands, words)
    if ('group' in found) throw new Error(`"${line}" only shows help`)
    expect(found.entry.command.words).toEqual(command.words)
    expect(() => parse(found.entry.command, found.words)).not.toThrow()
  })

  it('says of every command what it does in one sentence without a full stop', () => {
    for (const { about, flags, args } of shown) {
      for (const text of [about, ...flags.map((flag) => flag.about), ...args.map((arg) => arg.about)])
        expect(text).not.toMatch(/\.$/)
    }
  })

  it('has no flag that a command and all commands have, and no letter twice', () => {
    for (const { words, flags } of commands.map(({ command }) => command)) {
      const all = [...flags, ...globalFlags]
      const letters = all.flatMap((flag) => ('short' in flag && flag.short !== undefined ? [flag.short] : []))
      expect([words, new Set(all.map(({ name }) => name)).size]).toEqual([words, all.length])
      expect([words, new Set(letters).size]).toEqual([words, letters.length])
    }
  })
})
