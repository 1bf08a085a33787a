/** Pure: as whom services run, and how they can read what Kubernetes gives them all the same. */
import type { Desired } from '../../desired.ts'
import type { ContentPart } from './contents.ts'

/** The group that files which are not for everybody are given to; every service of the pod is in it. */
const usualGroup = 65_532

/**
 * Files that Kubernetes mounts belong to root, and so does a fresh volume: a service that runs as somebody else can read and
 * write them as a member of this group only. `undefined`: nobody needs one.
 */
export function filesGroup({ services }: Pick<Desired, 'services'>, parts: readonly ContentPart[]): number | undefined {
  const users = services.flatMap(({ user, role }) =>
    user === undefined ? [] : [{ ids: userIds(user), main: role === 'main' }],
  )
  const others = users.filter(({ ids }) => ids !== undefined && (ids.uid !== 0 || (ids.gid ?? 0) !== 0))
  const chosen = others.find(({ main }) => main) ?? others[0]
  const hidden = parts.some(({ entries }) =>
    entries.some(({ file }) => file !== undefined && (file.mode & 0o004) === 0),
  )
  const stored = services.some(({ volumes }) => volumes.some(({ type }) => type === 'persistent'))
  if (chosen?.ids && (hidden || stored)) return chosen.ids.gid || chosen.ids.uid
  return hidden ? usualGroup : undefined
}

export type UserIds = { readonly uid: number; readonly gid?: number }

/** The most that the API takes. */
const largestId = 2_147_483_647

/** `undefined`: not by numbers, or beyond all numbers. */
export function userIds(user: string): UserIds | undefined {
  const found = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(user)
  if (!found) return undefined
  const uid = Number(found[1])
  const gid = found[2] === undefined ? undefined : Number(found[2])
  if (uid > largestId || (gid ?? 0) > largestId) return undefined
  return { uid, ...(gid === undefined ? {} : { gid }) }
}
