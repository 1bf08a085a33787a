import { command } from '../../command/command.ts'
import { outputFlag, selectorFlag } from '../../command/global-flags.ts'

const which = { name: 'NAME', about: 'the provider', offer: { objects: 'providers' } } as const

export const providerAddCommand = command({
  words: ['provider', 'add'],
  about: 'Let workloads run on another engine',
  args: [{ name: 'NAME', about: 'what workloads call it in spec.provider' }],
  flags: [
    { name: 'type', value: 'TYPE', about: 'Which adapter speaks to it; left out: its name' },
    {
      name: 'tenants',
      value: 'NAMES',
      about: 'Who may use it, with commas, or * for everybody; left out: the tenant "default"',
    },
    { name: 'default', about: 'For workloads that name none; only one can be' },
    { name: 'region', value: 'NAME', about: 'Where it is, in a word of your own' },
  ],
  examples: [
    { line: 'gantry provider add local --tenants "*" --default', about: 'This machine, for everybody' },
    { line: 'gantry provider add east --type docker --region eu-east --tenants acme,shop', about: 'For two tenants' },
  ],
})

export const providerLsCommand = command({
  words: ['provider', 'ls'],
  about: 'The engines that workloads can run on',
  more: ['Who may not see all of the installation sees those that the tenant may use.'],
  args: [],
  flags: [outputFlag, selectorFlag],
  examples: [{ line: 'gantry provider ls -o wide', about: 'Also who may use each' }],
})

export const providerDescribeCommand = command({
  words: ['provider', 'describe'],
  about: 'How an engine is, and what it can do',
  args: [which],
  flags: [],
  examples: [{ line: 'gantry provider describe local', about: 'Health, version, and what is limited there' }],
})

export const providerRmCommand = command({
  words: ['provider', 'rm'],
  about: 'Take an engine away; refused while workloads are there',
  args: [{ ...which, many: true }],
  flags: [],
  examples: [{ line: 'gantry provider rm east', about: 'What runs elsewhere goes on' }],
})
