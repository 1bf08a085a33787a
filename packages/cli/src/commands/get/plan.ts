/** Pure: what cannot be asked together, and what to say when there is nothing. */
import type { Group } from '../../objects/find.ts'
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

export function nothingFound(
  groups: readonly Pick<Group, 'face'>[],
  { tenant, selector, 'all-tenants': all }: Omit<Asked, 'watch'> & { readonly tenant: string },
): string {
  const kinds = groups.map(({ face }) => face.plural).join(' or ')
  const isOfSystem = groups.every(({ face }) => face.scope === 'system')
  const place = isOfSystem ? '' : all ? ' in any tenant' : ` in tenant ${tenant}`
  return `No ${kinds}${selector === undefined ? '' : ` with ${selector}`}${place}.`
}
