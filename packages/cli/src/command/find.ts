/** Pure: which command a line means. Global flags may stand before it. */
import { Fault, nearest } from '@gantry/core'
import type { Command, Entry } from './command.ts'
import { globalFlags } from './global-flags.ts'

export type Found =
  | { readonly entry: Entry; readonly words: readonly string[] }
  /** A group such as `rollout`, or nothing at all: help is shown. `asked`: that is what was wanted. */
  | { readonly group: readonly string[]; readonly asked: boolean }

/** Other words for the same, which fingers know from elsewhere. */
export const sameAs: Readonly<Record<string, string>> = {
  rm: 'delete',
  ls: 'get',
  '--version': 'version',
  '-V': 'version',
}

export function findCommand(table: readonly Entry[], line: readonly string[]): Found {
  const { before, words } = leading(line)
  const [first = '', ...more] = words
  if (first === '' || first === 'help' || first === '--help' || first === '-h') return helpOn(table, more)
  const asked = [sameAs[first] ?? first, ...more]
  const entry = longest(table, asked)
  if (entry) return { entry, words: [...before, ...asked.slice(entry.command.words.length)] }
  const verbs = table.filter(({ command }) => command.words[0] === asked[0])
  if (verbs.length === 0) throw unknown('command', first, verbsOf(table))
  const inner = leading(more)
  // `gantry rollout -n acme pause web`: flags between the words go to the command too.
  if (inner.before.length > 0 && inner.words.length > 0) {
    return findCommand(table, [...before, ...inner.before, first, ...inner.words])
  }
  const [second] = more
  if (second === undefined || second.startsWith('-'))
    return { group: [first], asked: second === '--help' || second === '-h' }
  throw unknown(
    `command "${first}"`,
    second,
    verbs.map(({ command }) => command.words[1] ?? ''),
    first,
  )
}

function helpOn(table: readonly Entry[], words: readonly string[]): Found {
  const entry = longest(table, words)
  if (entry) return { entry, words: ['--help'] }
  const [first] = words
  if (first === undefined || first.startsWith('-')) return { group: [], asked: true }
  if (table.some(({ command }) => command.words[0] === first)) return { group: [first], asked: true }
  throw unknown('command', first, verbsOf(table))
}

function verbsOf(table: readonly Entry[]): string[] {
  const known = table.filter(({ command }) => command.hidden !== true)
  return [...new Set(known.map(({ command }) => command.words[0]))]
}

function longest(table: readonly Entry[], words: readonly string[]): Entry | undefined {
  const fits = ({ words: own }: Command): boolean => own.every((word, at) => word === words[at])
  return table
    .filter(({ command }) => fits(command))
    .sort((one, other) => other.command.words.length - one.command.words.length)[0]
}

/** `gantry -n acme get wl`: flags in front go to the command. */
function leading(line: readonly string[]): { before: readonly string[]; words: readonly string[] } {
  let at = 0
  while (at < line.length) {
    const word = line[at] ?? ''
    if (!word.startsWith('-') || ['--help', '-h', '--version', '-V'].includes(word)) break
    const name = word.startsWith('--') ? word.slice(2).split('=')[0] : undefined
    const flag = globalFlags.find((one) =>
      name === undefined ? 'short' in one && `-${one.short}` === word : one.name === name,
    )
    at += flag && 'value' in flag && !word.includes('=') ? 2 : 1
  }
  return { before: line.slice(0, at), words: line.slice(at) }
}

function unknown(what: string, word: string, names: readonly string[], group?: string): Fault {
  const guess = nearest(word, names)
  const line = group === undefined ? 'gantry' : `gantry ${group}`
  const hint = guess === undefined ? `"${line} --help" shows what there is` : `did you mean "${line} ${guess}"?`
  const text =
    group === undefined ? `There is no command ${JSON.stringify(word)}` : `The ${what} has no ${JSON.stringify(word)}`
  return new Fault('bad_request', `${text}; ${hint}`)
}
