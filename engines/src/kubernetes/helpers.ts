/** What the keeper itself does for a cluster besides starting it, for as long as it runs. */
import { type Call, sleep, systemClock } from '@gantry/core'

export type Helper = { readonly name: string; readonly work: (call: Call) => Promise<void> }

/** An API that is away for a while is asked again: nobody else could tell a helper to go on. */
export async function help({ name, work }: Helper, log: (line: string) => void, { signal }: Call): Promise<void> {
  while (!signal.aborted) {
    const round = new AbortController()
    try {
      await work({ signal: AbortSignal.any([signal, round.signal]) })
    } catch (error) {
      if (!signal.aborted) log(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
    // One of several things it does may have ended alone.
    round.abort()
    await sleep(systemClock, 300, { signal }).catch(() => undefined)
  }
}
