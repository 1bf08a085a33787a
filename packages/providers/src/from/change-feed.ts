/** One look-out on an engine for all who wait in this process: opened for the first of them, closed after the last. */
import { asFault, type Clock, sleep } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { Observation } from '../observed.ts'

export type ChangeFeed = {
  /** Calls back on every observation from now on. Returns what ends it. */
  subscribe(listener: (seen: Observation) => void): () => void
}

const againMs = 1000

export function changeFeed(engine: Pick<Engine, 'observe'>, clock: Clock): ChangeFeed {
  const listeners = new Set<(seen: Observation) => void>()
  let current: AbortController | undefined
  const tell = (seen: Observation): void => {
    for (const listener of listeners) listener(seen)
  }

  async function watch(own: AbortController): Promise<void> {
    const call = { signal: own.signal }
    while (!own.signal.aborted) {
      try {
        for await (const seen of engine.observe(call)) tell(seen)
      } catch (error) {
        // Those who wait look by themselves too, and meet the same trouble with someone to tell it to.
        if (!own.signal.aborted) tell({ type: 'blind', fault: asFault(error), at: new Date(clock.now()) })
      }
      // An engine promises to watch until told to stop; one that does not is asked again, but not in a hurry.
      await sleep(clock, againMs, call).catch(() => undefined)
    }
  }
  return {
    subscribe(listener) {
      listeners.add(listener)
      if (!current) {
        current = new AbortController()
        void watch(current)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        current?.abort(new Error('nobody waits any more'))
        current = undefined
      }
    },
  }
}
