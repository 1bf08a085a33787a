/** Flags that every command takes, wherever they stand on the line. */
import type { Flag } from './command.ts'

export const globalFlags = [
  {
    name: 'tenant',
    short: 'n',
    value: 'TENANT',
    about: 'Whose objects; left out: the one of the context, or "default"',
    offer: { objects: 'tenants' },
  },
  { name: 'context', value: 'NAME', about: 'Which server, by its name in the contexts file', offer: 'contexts' },
  { name: 'server', value: 'URL', about: 'Which server, by its address; goes before $GANTRY_SERVER' },
  { name: 'token', value: 'TOKEN', about: 'Who is asking; better in $GANTRY_TOKEN, as others can see arguments' },
  { name: 'timeout', value: 'TIME', duration: true, about: 'How long to wait before giving up, such as 90s or 5m' },
  { name: 'no-color', about: 'No colours; so does $NO_COLOR' },
  {
    name: 'verbose',
    short: 'v',
    about: 'Say more when something fails: the id of the request, and what was behind it',
  },
  { name: 'help', short: 'h', about: 'What a command does, and with what' },
] as const satisfies readonly Flag[]

/** What they come to. */
export type Globals = {
  readonly tenant?: string | undefined
  readonly context?: string | undefined
  readonly server?: string | undefined
  readonly token?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly noColor: boolean
  readonly verbose: boolean
  readonly help: boolean
}

/** The flags of commands that show objects. */
export const outputFlag = {
  name: 'output',
  short: 'o',
  value: 'FORMAT',
  choices: ['table', 'wide', 'json', 'yaml', 'name'],
  about: 'How to show it: table, wide, json, yaml or name',
} as const satisfies Flag

export const selectorFlag = {
  name: 'selector',
  short: 'l',
  value: 'LABELS',
  about: 'Only those with these labels, as in team=web,tier!=cache',
} as const satisfies Flag

export const waitFlag = {
  name: 'wait',
  about: 'Stay until it has happened, and show how far it is',
} as const satisfies Flag
