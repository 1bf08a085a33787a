/** Pure: what cannot be asked together. */
import type { Target } from '../../objects/targets.ts'

type Asked = {
  readonly selector?: string | undefined
  readonly 'all-tenants': boolean
  readonly watch: boolean
}

export function refusal(targets: readonly Target[], asked: Asked): string | undefined {
  const isNamed = targets.some(({ names }) => names.length > 0)
  if (isNamed && asked.selector !== undefined) return 'Names and --selector cannot be asked for together: leave one out'
  if (isNamed && asked['all-tenants']) {
    return 'A name is of one tenant: leave out --all-tenants, or say which with --tenant'
  }
  if (asked.watch && targets.length > 1) return 'One kind can be watched at a time: run the command for each of them'
  return undefined
}
