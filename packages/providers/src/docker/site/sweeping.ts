/** What died halfway is taken away when we come, and what was too young for that a while later. */
import { type Call, type Clock, onAbort } from '@gantry/core'

export type SweepingParts = {
  readonly clock: Clock
  readonly life: Call
  /** Answers how much it left for later. */
  readonly sweep: (call: Call) => Promise<number>
  readonly doubt: (error: unknown) => void
}

const laterMs = 10_000

export function sweeping({ clock, life, sweep, doubt }: SweepingParts): { readonly sweep: () => void } {
  let cancel = (): void => undefined
  onAbort(life.signal, () => cancel())
  const begin = (): void => {
    cancel()
    if (life.signal.aborted) return
    sweep(life).then((left) => {
      cancel()
      if (left > 0 && !life.signal.aborted) cancel = clock.after(laterMs, begin)
      // Out of reach: begun again when it is back.
    }, doubt)
  }
  return { sweep: begin }
}
