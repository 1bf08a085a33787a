/** Pure: what flags say about an apply, and how to say it again. */
import { Fault } from '@gantry/core'

export type ApplyFlags = {
  readonly filename: readonly string[]
  readonly 'env-file': readonly string[]
  readonly var: readonly string[]
  readonly prune: boolean
  readonly selector: string | undefined
}

/** Never everything: what may go has to be said. */
export function pruneOf({
  prune,
  selector,
}: Pick<ApplyFlags, 'prune' | 'selector'>): { readonly labelSelector: string } | undefined {
  if (prune && selector !== undefined) return { labelSelector: selector }
  if (prune) throw new Fault('bad_request', '--prune needs -l LABELS: it says which objects may be deleted')
  if (selector !== undefined) throw new Fault('bad_request', '-l is for --prune: it says which objects may be deleted')
  return undefined
}

/** The line that does what was planned. */
export function applyLine(flags: ApplyFlags, tenant: string | undefined, hash: string): string {
  const words = [
    'gantry',
    ...(tenant === undefined ? [] : ['-n', tenant]),
    'apply',
    ...flags.filename.flatMap((file) => ['-f', file]),
    ...flags['env-file'].flatMap((file) => ['--env-file', file]),
    ...flags.var.flatMap((pair) => ['--var', pair]),
    ...(flags.selector === undefined ? [] : ['--prune', '-l', flags.selector]),
    '--plan',
    hash,
  ]
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[-\w./:=@%+,]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
