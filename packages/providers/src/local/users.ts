/** Which user a tenant's processes run as: one of its own where we are root, and we ourselves elsewhere. */
import { hashOf } from '@gantry/core'

export type User = { readonly uid: number; readonly gid: number }

/** Above what a system gives to people and services, below what it gives to containers' users by default. */
const first = 210_000
const count = 50_000

/** Pure: the same for a tenant wherever nothing is recorded; the next free one where two tenants would meet. */
export function userFor(tenant: string, recorded: Readonly<Record<string, number>>): User {
  const known = recorded[tenant]
  if (known !== undefined) return { uid: known, gid: known }
  const taken = new Set(Object.values(recorded))
  let uid = first + (Number.parseInt(hashOf(tenant).slice(0, 8), 16) % count)
  while (taken.has(uid)) uid = first + ((uid - first + 1) % count)
  return { uid, gid: uid }
}

/** `1000` or `1000:1000`; names are not looked up: on another day they are somebody else. */
export function parseUser(text: string): User | undefined {
  const [, uid, gid] = /^(\d+)(?::(\d+))?$/.exec(text) ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid ?? uid) }
}

export const sameUser = (left: User, right: User): boolean => left.uid === right.uid && left.gid === right.gid
