import { command } from '../../command/command.ts'

const which = { name: 'NAME', about: 'the context', offer: 'contexts' } as const

export const contextLsCommand = command({
  words: ['context', 'ls'],
  about: 'The servers that are known here, and which one is used',
  args: [],
  flags: [
    {
      name: 'output',
      short: 'o',
      value: 'FORMAT',
      choices: ['table', 'json', 'yaml', 'name'],
      about: 'table, json, yaml or name',
    },
  ],
  examples: [{ line: 'gantry context ls', about: 'The one with the star is used' }],
})

export const contextUseCommand = command({
  words: ['context', 'use'],
  about: 'Use another server from now on',
  args: [which],
  flags: [],
  examples: [{ line: 'gantry context use prod', about: 'What follows goes to prod' }],
})

export const contextRenameCommand = command({
  words: ['context', 'rename'],
  about: 'Call a context something else',
  args: [which, { name: 'NEW', about: 'its new name' }],
  flags: [],
  examples: [{ line: 'gantry context rename local laptop', about: 'What was local is laptop' }],
})

export const contextRmCommand = command({
  words: ['context', 'rm'],
  about: 'Forget a server and the token for it; the token itself stays valid until it is revoked',
  args: [which],
  flags: [],
  examples: [{ line: 'gantry context rm old', about: 'Nothing happens on the server' }],
})

export const contextSetTenantCommand = command({
  words: ['context', 'set-tenant'],
  about: 'Whose objects are meant where no --tenant is given',
  args: [{ name: 'TENANT', about: 'the tenant', offer: { objects: 'tenants' } }],
  flags: [],
  examples: [
    { line: 'gantry context set-tenant acme', about: 'Of the context that is used' },
    { line: 'gantry context set-tenant acme --context prod', about: 'Of another one' },
  ],
})
