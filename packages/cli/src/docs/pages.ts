/** Pure: docs/cli, a page per command and one that lists them, from what the commands are. */
import type { Command, Flag } from '../command/command.ts'
import { globalFlags } from '../command/global-flags.ts'
import { helpGroups, usageOf } from '../command/help.ts'
import { commands } from '../commands/table.ts'

export type CommandPage = { readonly file: string; readonly text: string }

export function commandPages(): readonly CommandPage[] {
  const shown = commands.map(({ command }) => command).filter(({ words }) => !words[0].startsWith('__'))
  return [
    { file: 'README.md', text: listPage(shown) },
    ...shown.map((command) => ({ file: fileOf(command), text: page(command) })),
  ]
}

function fileOf({ words }: Command): string {
  return `${words.join('-')}.md`
}

function listPage(shown: readonly Command[]): string {
  const groups = helpGroups.map(([title, verbs]) => {
    const own = verbs.flatMap((verb) => shown.filter(({ words }) => words[0] === verb))
    return [`## ${title}`, '', '| command | what it does |', '|---|---|', ...own.map(line)].join('\n')
  })
  return [
    '# The command line',
    'Made from the commands themselves by `npm run generate`. `gantry COMMAND --help` prints the same.',
    ...groups,
    `## Flags of every command\n\n${flagTable(globalFlags)}`,
    `## Exit codes\n\n${exits}`,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

const exits =
  '0 when it was done. Faults have the codes of [faults.md](../faults.md). `diff` ends with 0 if nothing differs, 1 if ' +
  'something does, and 2 if it could not look. `exec` ends with the code of the command that it ran, and with 125 if it could ' +
  'not run it. 130 after Ctrl-C.'

function line(command: Command): string {
  return `| [\`gantry ${command.words.join(' ')}\`](${fileOf(command)}) | ${cell(command.about)} |`
}

function page(command: Command): string {
  const { words, about, more = [], args, flags, examples } = command
  const parts = [
    `# gantry ${words.join(' ')}`,
    `${about}.`,
    ...more,
    `\`\`\`\n${usageOf(command)}\n\`\`\``,
    args.length === 0
      ? ''
      : [
          '| argument | what it is |',
          '|---|---|',
          ...args.map(({ name, about }) => `| \`${name}\` | ${cell(about)} |`),
        ].join('\n'),
    flags.length === 0 ? '' : flagTable(flags),
    `## Examples\n\n\`\`\`text\n${examples.map(({ line, about }) => `# ${about}\n${line}`).join('\n\n')}\n\`\`\``,
    'See also the [flags of every command](README.md#flags-of-every-command).',
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function flagTable(flags: readonly Flag[]): string {
  const lines = flags.map(({ name, short, value, about, choices, many }) => {
    const said = `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`
    const more = [
      ...(choices ? [`one of ${choices.join(', ')}`] : []),
      ...(many ? ['may be given more than once'] : []),
    ]
    return `| \`${said}\` | ${cell([about, ...more].join('; '))} |`
  })
  return ['| flag | what it does |', '|---|---|', ...lines].join('\n')
}

/** A bar would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
