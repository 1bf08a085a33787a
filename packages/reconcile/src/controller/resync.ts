/** Looks at everything now and then, although nothing is known to have happened: what was missed is found here. */
import { asFault, type Clock, type Fault, sleep } from '@gantry/core'
import { hash32 } from '../hash32.ts'
import type { Seen } from './feed.ts'
import type { Following } from './feeds.ts'

export type ResyncOptions = {
  readonly clock: Clock
  readonly resyncMs: number
  readonly feed: Pick<Following, 'seen' | 'list'>
  readonly add: (seen: Seen, delayMs: number) => void
  readonly onTrouble: (fault: Fault) => void
}

/** Resolves when the signal ends, and never rejects. */
export async function resyncForever(options: ResyncOptions, signal: AbortSignal): Promise<void> {
  const { clock, resyncMs, feed, add, onTrouble } = options
  while (!signal.aborted) {
    try {
      await sleep(clock, resyncMs, { signal })
      await feed.list(signal)
    } catch (error) {
      if (signal.aborted) return
      onTrouble(asFault(error))
    }
    for (const [text, seen] of feed.seen) add(seen, spread(text) * resyncMs)
  }
}

/** From 0 up to 1, always the same for a text: keys keep their distance from each other, round after round. */
export function spread(text: string): number {
  return hash32(text) / 2 ** 32
}
