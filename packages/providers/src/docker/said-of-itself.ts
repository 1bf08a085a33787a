/** What a daemon says of itself. It counts all its containers and images for it, so it is asked once per connection. */
import type { Call } from '@gantry/core'
import type { SystemApi } from './api/api.ts'
import type { EngineInfo } from './api/types/system.ts'

/** `connection`: another number after every loss, since it may be another daemon by then; `undefined` while it is lost. */
export function saidOfItself(
  system: Pick<SystemApi, 'ping' | 'info'>,
  connection: () => number | undefined,
): (call: Call) => Promise<EngineInfo> {
  let known: { readonly connection: number; readonly info: EngineInfo } | undefined
  return async (call) => {
    const now = connection()
    if (known && known.connection === now) {
      // That it answers is seen every time.
      await system.ping(call)
      return known.info
    }
    const info = await system.info(call)
    // What was lost meanwhile is asked again.
    if (now !== undefined && connection() === now) known = { connection: now, info }
    return info
  }
}
