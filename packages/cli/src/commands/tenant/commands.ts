import { command } from '../../command/command.ts'
import { outputFlag, selectorFlag } from '../../command/global-flags.ts'

const which = { name: 'NAME', about: 'the tenant', offer: { objects: 'tenants' } } as const
const quota = {
  name: 'quota',
  value: 'KEY=LIMIT',
  many: true,
  about:
    'How much it may have of workloads, replicas, services, cpu, memory, disk or secrets; may be given more than once',
} as const

export const tenantCreateCommand = command({
  words: ['tenant', 'create'],
  about: 'Make a tenant: somebody who sees and uses only what is theirs',
  args: [{ name: 'NAME', about: 'its name' }],
  flags: [
    { name: 'display-name', value: 'TEXT', about: 'How people call it' },
    { name: 'plan', value: 'NAME', about: 'What it was sold or given, for reports' },
    quota,
  ],
  examples: [
    { line: 'gantry tenant create acme', about: 'Without limits' },
    { line: 'gantry tenant create acme --quota cpu=8 --quota memory=16Gi', about: 'With some' },
  ],
})

export const tenantLsCommand = command({
  words: ['tenant', 'ls'],
  about: 'Those who share this installation',
  args: [],
  flags: [outputFlag, selectorFlag],
  examples: [{ line: 'gantry tenant ls -o wide', about: 'With their limits' }],
})

export const tenantRmCommand = command({
  words: ['tenant', 'rm'],
  about: 'Delete tenants that have nothing any more',
  args: [{ ...which, many: true }],
  flags: [],
  examples: [{ line: 'gantry tenant rm acme', about: 'Refused while it has workloads' }],
})

export const tenantQuotaCommand = command({
  words: ['tenant', 'quota'],
  about: 'How much a tenant may have, and how much of it is used; or change it',
  args: [{ ...which, optional: true }],
  flags: [
    { ...quota, name: 'set', about: 'A new limit; none takes it away. May be given more than once' },
    { name: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'json', 'yaml'], about: 'table, json or yaml' },
  ],
  examples: [
    { line: 'gantry tenant quota', about: 'Of one’s own' },
    { line: 'gantry tenant quota acme --set cpu=16 --set disk=none', about: 'More cores, and any amount of disk' },
  ],
})
