/**
 * A host belongs to the tenant whose Route named it first. Refused here before anything is stored; two that are written at
 * the same instant are told apart afterwards, by the route controller and in the same way.
 */
import { type Call, Fault, type ObjectOf, type RouteSpec } from '@gantry/core'
import type { Store, SystemScope } from '@gantry/store'

const pageSize = 1000

export async function checkHosts(
  store: Store,
  scope: SystemScope,
  { hosts }: RouteSpec,
  tenant: string,
  call: Call,
): Promise<void> {
  const taken = await hostsOfOthers(store, scope, tenant, call)
  const issues = hosts.flatMap((host, at) =>
    taken.has(host) ? [{ path: `spec.hosts[${at}]`, message: `${host} belongs to another tenant` }] : [],
  )
  if (issues.length === 0) return
  // Whose it is, is nobody else's business.
  const names = issues.map(({ message }) => message).join(', ')
  throw new Fault(
    'host_taken',
    `The route cannot be made: ${names}. Take another name, or ask its owner to give it up`,
    {
      issues,
    },
  )
}

async function hostsOfOthers(store: Store, scope: SystemScope, tenant: string, call: Call): Promise<Set<string>> {
  const taken = new Set<string>()
  let from: string | undefined
  do {
    const page = await store.list(scope, { kind: 'Route', limit: pageSize, ...(from && { continue: from }) }, call)
    for (const { metadata, spec } of page.items as ObjectOf<'Route'>[]) {
      if (metadata.tenant !== tenant) for (const host of spec.hosts) taken.add(host)
    }
    from = page.continue
  } while (from !== undefined)
  return taken
}
