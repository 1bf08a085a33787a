import { command } from '../../command/command.ts'

const ofSystem = { name: 'system', about: 'Those of the installation instead of those of the tenant' } as const

export const tokenCreateCommand = command({
  words: ['token', 'create'],
  about: 'Make a token for a person or a program; it is shown this once only',
  more: [
    'viewer looks; operator also runs and changes workloads, routes and secrets; admin also makes tokens and reads audit, all in one tenant. system may do everything everywhere.',
  ],
  args: [{ name: 'NAME', about: 'what it is called in audit' }],
  flags: [
    {
      name: 'role',
      value: 'ROLE',
      choices: ['viewer', 'operator', 'admin', 'system'],
      about: 'viewer, operator, admin or system',
    },
    {
      name: 'expires',
      value: 'TIME',
      duration: true,
      about: 'For how long it holds, such as 12h; left out: until it is revoked',
    },
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json', 'yaml'],
      about: 'text: the token alone; json or yaml: all about it',
    },
  ],
  examples: [
    { line: 'gantry token create ci --role operator', about: 'For a pipeline' },
    { line: 'gantry token create guest --role viewer --expires 12h', about: 'For a day' },
    { line: 'gantry token create ci --role operator -o json | jq -r .token', about: 'From a script' },
  ],
})

export const tokenLsCommand = command({
  words: ['token', 'ls'],
  about: 'The tokens of the tenant, without the tokens themselves',
  args: [],
  flags: [
    ofSystem,
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json', 'yaml', 'name'],
      about: 'table, json, yaml or name',
    },
  ],
  examples: [
    { line: 'gantry token ls', about: 'Who may enter, and when each was used last' },
    { line: 'gantry token ls --system', about: 'Those of the installation' },
  ],
})

export const tokenRevokeCommand = command({
  words: ['token', 'revoke'],
  about: 'Refuse a token from now on',
  args: [{ name: 'NAME', about: 'which', many: true }],
  flags: [ofSystem],
  examples: [{ line: 'gantry token revoke ci', about: 'At once, also where it is in use' }],
})
