/** Whom an image means by a name. What one look found out is kept, and shared by all who ask meanwhile. */
import { type Call, type Clock, orAbort, systemClock } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import { type LookThrough, lookThrough } from './look-through.ts'
import { type Owner, ownerByNumbers, ownerFromTables, type UserTables } from './owner.ts'

export interface ImageUsers {
  /**
   * Who a service of this image runs as. `user` is as the engine takes it, an empty one root; `image` is an id, since what
   * was read of it is kept. Throws `engine_rejected` where the image has no such user or group.
   */
  owner(image: string, user: string, call: Call): Promise<Owner>
}

/** Images whose tables are kept; more than an engine mostly has. */
const mostKept = 500

export function imageUsers(
  api: Pick<DockerApi, 'containers'>,
  through: LookThrough,
  clock: Clock = systemClock,
): ImageUsers {
  const kept = new Map<string, Promise<UserTables>>()

  /** On its own: who waits for it may leave, and whoever else waits has it all the same. Each question has its deadline. */
  function look(image: string): Promise<UserTables> {
    const tables = lookThrough(api, image, through, clock, { signal: new AbortController().signal })
    kept.set(image, tables)
    tables.catch(() => kept.delete(image))
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest)
    return tables
  }

  return {
    async owner(image, user, call) {
      call.signal.throwIfAborted()
      const known = ownerByNumbers(user)
      return known ?? ownerFromTables(user, await orAbort(kept.get(image) ?? look(image), call))
    },
  }
}
