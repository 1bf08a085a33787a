/** Pure: what `--help` prints. */

import { wrap } from '../output/wrap.ts'
import type { Command, Entry, Flag } from './command.ts'
import { globalFlags } from './global-flags.ts'

/** Verbs as people look for them; a command that is in no group would not be shown, which a test holds. */
export const helpGroups: readonly (readonly [title: string, words: readonly string[]])[] = [
  ['First steps', ['serve', 'up', 'down', 'open', 'doctor']],
  ['Objects', ['get', 'describe', 'explain', 'apply', 'plan', 'diff', 'edit', 'patch', 'delete', 'wait']],
  ['Workloads', ['deploy', 'rollback', 'rollout', 'scale', 'start', 'stop', 'restart', 'status', 'ps']],
  ['Looking inside', ['logs', 'exec', 'port-forward', 'top', 'events']],
  ['The installation', ['secret', 'token', 'tenant', 'provider', 'backup', 'restore']],
  ['This program', ['login', 'context', 'whoami', 'completion', 'version']],
]

export function usageOf({ words, args, flags, rest }: Command): string {
  const places = args.map(({ name, optional, many }) => {
    const shown = many ? `${name}...` : name
    return optional ? `[${shown}]` : shown
  })
  return [
    'gantry',
    ...words,
    ...places,
    ...(flags.length > 0 ? ['[flags]'] : []),
    ...(rest ? [`-- ${rest}`] : []),
  ].join(' ')
}

export function commandHelp(command: Command, columns: number): string {
  const { about, more = [], args, flags, examples } = command
  const parts = [
    wrap(`${about}.`, columns),
    ...more.map((paragraph) => wrap(paragraph, columns)),
    `Usage:\n  ${usageOf(command)}`,
    section(
      'Arguments',
      args.map(({ name, about }) => [name, about]),
      columns,
    ),
    section(
      'Flags',
      flags.map((flag) => [flagName(flag), flag.about]),
      columns,
    ),
    `Examples:\n${examples.map(({ line, about }) => `  # ${about}\n  ${line}`).join('\n')}`,
    section(
      'Flags of every command',
      globalFlags.map((flag: Flag) => [flagName(flag), flag.about]),
      columns,
    ),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Of everything, or of one group such as `rollout`. */
export function groupHelp(table: readonly Entry[], [word]: readonly string[], columns: number): string {
  const commands = table.map(({ command }) => command)
  if (word !== undefined) {
    const own = commands.filter(({ words }) => words[0] === word)
    const lines = own.map(({ words, about }) => [words.join(' '), about] as const)
    return `${section(`gantry ${word}`, lines, columns)}\n\n"gantry ${word} VERB --help" tells more of each.\n`
  }
  const groups = helpGroups.map(([title, words]) => {
    const own = words.flatMap((first) => commands.filter((command) => command.words[0] === first))
    return section(
      title,
      own.map(({ words: all, about }) => [all.join(' '), about]),
      columns,
    )
  })
  const head = wrap('gantry runs workloads of several services on any engine, and says what is true of them.', columns)
  const flags = section(
    'Flags of every command',
    globalFlags.map((flag: Flag) => [flagName(flag), flag.about]),
    columns,
  )
  return `${[head, ...groups.filter((group) => group !== ''), flags, '"gantry COMMAND --help" tells more of each.'].join('\n\n')}\n`
}

export function flagName({ name, short, value }: Flag): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
}

function section(title: string, lines: readonly (readonly [string, string])[], columns: number): string {
  if (lines.length === 0) return ''
  const width = Math.min(34, Math.max(...lines.map(([left]) => left.length)))
  const body = lines.map(([left, right]) => {
    const indent = ' '.repeat(width + 4)
    const text = wrap(right, Math.max(30, columns - width - 4)).replaceAll('\n', `\n${indent}`)
    return left.length > width ? `  ${left}\n${indent}${text}` : `  ${left.padEnd(width)}  ${text}`
  })
  return `${title}:\n${body.join('\n')}`
}
