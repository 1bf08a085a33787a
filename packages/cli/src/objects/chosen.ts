/** Pure: which objects a line that changes things means. All of a kind are meant only by who says so. */
import { Fault } from '@gantry/core'
import { type Target, targetsOf } from './targets.ts'

export type Choice = {
  readonly words: readonly string[]
  readonly selector?: string | undefined
  readonly all: boolean
  /** As in "gantry delete". */
  readonly line: string
}

export function chosen({ words, selector, all, line }: Choice): Target[] {
  const targets = targetsOf(words)
  const isNamed = targets.some(({ names }) => names.length > 0)
  const [first] = targets
  const kind = first?.face.kind.toLowerCase() ?? 'workload'
  if (isNamed && (all || selector !== undefined)) {
    throw new Fault(
      'bad_request',
      `Names and ${all ? '--all' : '--selector'} cannot be asked for together: leave one out`,
    )
  }
  if (!isNamed && !all && selector === undefined) {
    throw new Fault(
      'bad_request',
      `Which ${first?.face.plural ?? 'objects'}? Write "${line} ${kind}/NAME", or choose with -l LABELS or --all`,
    )
  }
  if (all && selector !== undefined) throw new Fault('bad_request', 'Either --all or --selector: leave one out')
  return targets
}
