/** Hears of what happens on an engine for as long as it is used: after every loss again, and ever less often. */
import { type Call, type Clock, Fault, isFault, sleep } from '@gantry/core'

const firstRetryMs = 100
const longestRetryMs = 2000

export type FollowingParts = {
  readonly clock: Clock
  /** Ends with the engine, and the following with it. */
  readonly life: Call
  /** Hears until there is nothing more to be heard, which is a loss as well. Calls `heard` when it has begun to hear. */
  readonly follow: (heard: () => void) => Promise<void>
  readonly lost: (fault: Fault) => void
}

export async function keepFollowing({ clock, life, follow, lost }: FollowingParts): Promise<void> {
  let waitMs = firstRetryMs
  while (!life.signal.aborted) {
    try {
      await follow(() => {
        waitMs = firstRetryMs
      })
      throw new Fault('engine_unreachable', 'The engine has stopped telling what happens')
    } catch (error) {
      if (life.signal.aborted) return
      lost(isFault(error) ? error : new Fault('engine_unreachable', String(error), { cause: error }))
    }
    // It rejects only when the engine is used no more.
    await sleep(clock, waitMs, life).catch(() => undefined)
    waitMs = Math.min(longestRetryMs, waitMs * 2)
  }
}
