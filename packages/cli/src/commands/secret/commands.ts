import { command } from '../../command/command.ts'
import { outputFlag, selectorFlag } from '../../command/global-flags.ts'

const which = { name: 'NAME', about: 'the secret', offer: { objects: 'secrets' } } as const

export const secretSetCommand = command({
  words: ['secret', 'set'],
  about: 'Write values of a secret, as its next version',
  more: [
    'KEY is asked for without being shown, KEY=- comes from standard input, KEY=@FILE from a file. KEY=VALUE is refused without --from-args: arguments are seen by everybody on this machine and stay in the history of the shell. Of standard input, one line end at its end is dropped; a file is taken as it is, byte for byte.',
    'Values that are not named stay as they are; nobody can read them back, also not this command. A secret that is not there is made. Workloads that run keep the version that they were started with, until their next deploy or restart.',
  ],
  args: [which, { name: 'KEY', about: 'KEY, KEY=-, or KEY=@FILE', optional: true, many: true }],
  flags: [
    {
      name: 'remove',
      value: 'KEY',
      many: true,
      about: 'The next version does not have this value; may be given more than once',
    },
    { name: 'replace', about: 'The next version has only what is given here' },
    { name: 'from-args', about: 'Take KEY=VALUE from the arguments, for values that may be seen' },
  ],
  examples: [
    { line: 'gantry secret set db url', about: 'Asks for it' },
    { line: 'pass show db/url | gantry secret set db url=-', about: 'From another program' },
    { line: 'gantry secret set tls cert=@tls.crt key=@tls.key', about: 'From files' },
    { line: 'gantry secret set db --remove old-url', about: 'Without one of its values' },
  ],
})

export const secretLsCommand = command({
  words: ['secret', 'ls'],
  about: 'Secrets, with the names of their values',
  args: [],
  flags: [outputFlag, selectorFlag],
  examples: [{ line: 'gantry secret ls', about: 'Names and versions; values are shown nowhere' }],
})

export const secretDescribeCommand = command({
  words: ['secret', 'describe'],
  about: 'The versions of a secret: who wrote them, when, and which values have changed',
  args: [which],
  flags: [],
  examples: [{ line: 'gantry secret describe db', about: 'Fingerprints tell equal values from others' }],
})

export const secretRmCommand = command({
  words: ['secret', 'rm'],
  about: 'Delete secrets; versions that a release of a workload names are kept for it',
  args: [{ ...which, many: true }],
  flags: [],
  examples: [{ line: 'gantry secret rm old', about: 'A workload that needs it cannot be deployed any more' }],
})
