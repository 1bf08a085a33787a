/** Pure: which Provider a workload runs on. */
import { Fault, type ObjectOf, servesTenant } from '@gantry/core'

export type ProviderWish = {
  readonly tenant: string
  /** As the spec names it; left out: the default one. */
  readonly named: string | undefined
  /** Where it runs already. A default that changes does not move anything. */
  readonly current: string | undefined
}

export function isOpenTo(tenant: string, { spec, metadata }: ObjectOf<'Provider'>): boolean {
  return servesTenant(spec, tenant) && metadata.deletionRequestedAt === undefined
}

/** The name, or `provider_not_found` with what to do about it. */
export function chooseProvider(providers: readonly ObjectOf<'Provider'>[], wish: ProviderWish): string {
  const { tenant, named, current } = wish
  const open = providers.filter((provider) => isOpenTo(tenant, provider))
  const names = open.map(({ metadata }) => metadata.name)
  if (named !== undefined) {
    // One that is for others is not there for this one.
    if (names.includes(named)) return named
    throw new Fault('provider_not_found', `There is no provider "${named}" for tenant "${tenant}"; ${choices(names)}`)
  }
  if (current !== undefined && names.includes(current)) return current
  const marked = open.find(({ spec }) => spec.default)?.metadata.name
  const chosen = marked ?? (names.length === 1 ? names[0] : undefined)
  if (chosen !== undefined) return chosen
  const message = `spec.provider names none, and there is no default for tenant "${tenant}"; ${choices(names)}`
  throw new Fault('provider_not_found', message)
}

function choices(names: readonly string[]): string {
  return names.length === 0 ? 'there is none at all, so make one' : `there are ${names.join(', ')}`
}
