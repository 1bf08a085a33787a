// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a file look like this
/** The flags of commands that read files of objects. */
import type { Flag } from './command.ts'

export const fileFlags = [
  {
    name: 'filename',
    short: 'f',
    value: 'FILE',
    many: true,
    about: 'A file, a folder, a pattern in quotes, or - for standard input; left out: ./gantry.yaml',
    offer: 'files',
  },
  {
    name: 'env-file',
    value: 'FILE',
    many: true,
    about: 'Replace ${NAME} in the files by what this file says: NAME=VALUE on each line',
    offer: 'files',
  },
  { name: 'var', value: 'NAME=VALUE', many: true, about: 'Replace ${NAME} in the files; goes before --env-file' },
] as const satisfies readonly Flag[]

export const pruneFlags = [
  {
    name: 'prune',
    about: 'Also delete what was applied before and is no longer in the files, of those that -l selects',
  },
  { name: 'selector', short: 'l', value: 'LABELS', about: 'With --prune: what may be deleted, as in team=web' },
] as const satisfies readonly Flag[]
