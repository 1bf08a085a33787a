/** What becomes of some objects: those that are there, then every change, across gaps that a watch alone could not bridge. */
import { isFault } from '@gantry/core'
import { type AnyObject, everywhere, objectsOf } from './access.ts'
import { find, type Group, type Where } from './find.ts'
import type { Target } from './targets.ts'

export type Followed =
  /** All of them, at the beginning and whenever changes were missed. */
  { readonly type: 'all'; readonly group: Group } | { readonly type: 'put' | 'gone'; readonly object: AnyObject }

export async function* follow(target: Target, where: Where): AsyncGenerator<Followed, never> {
  for (;;) {
    // A change between the two is then seen twice, and never missed.
    const before = target.names.length === 0 ? undefined : await versionNow(target, where)
    const group = await find(target, where)
    yield { type: 'all', group }
    try {
      yield* changes(target, where, group.version ?? before)
    } catch (error) {
      // Too long ago to go on from there: what is now is looked at anew.
      if (!isFault(error, 'expired')) throw error
    }
  }
}

/** An object may not have changed for longer than a watch can go back. */
async function versionNow({ face }: Target, { client, tenant, signal }: Where): Promise<number | undefined> {
  for await (const page of objectsOf(client, tenant, face).list({ limit: 1, signal }).pages())
    return page.resourceVersion
  return undefined
}

async function* changes(
  { face, names }: Target,
  { client, tenant, allTenants, selector, signal }: Where,
  since: number | undefined,
): AsyncGenerator<Followed, void> {
  const source = allTenants ? everywhere(client, face) : objectsOf(client, tenant, face)
  for await (const change of source.watch({ labelSelector: selector, since, signal })) {
    if (change.type === 'bookmark') continue
    const { type, object } = change
    if (names.length === 0 || names.includes(object.metadata.name)) yield { type, object }
  }
}

export function keyOf({ metadata: { tenant, name } }: AnyObject): string {
  return `${tenant ?? ''}/${name}`
}
