/** What happens, as observations: a snapshot first, then every change, and a new snapshot after any gap. */
import { type Call, isFault, sleep } from '@gantry/core'
import { channel, failOnAbort } from '../channel.ts'
import type { Observation } from '../observed.ts'
import type { TendedSite } from './tended-site.ts'

/** How long after a look that failed at the very beginning it is looked again. */
const lookAgainMs = 250

export async function* observations(site: TendedSite, call: Call): AsyncIterable<Observation> {
  call.signal.throwIfAborted()
  const { clock } = site
  const out = channel<Observation>()
  const now = (): Date => new Date(clock.now())
  const snapshot = (): void => out.push({ type: 'snapshot', instances: site.all(), at: now() })
  let begun = false
  const leave = site.listen((event) => {
    if (!begun) return
    if (event.type === 'lost') out.push({ type: 'blind', fault: event.fault, at: now() })
    else if (event.type === 'found') snapshot()
    else if (site.lost) return
    else {
      const instance = event.type === 'gone' ? undefined : site.observed(event.ref)
      out.push(instance ? { type: 'changed', instance } : { type: 'gone', ref: event.ref, at: now() })
    }
  })
  const forget = failOnAbort(out, call.signal)

  /** Subscribed already; now it looks for itself, since what was heard last may be old. */
  async function begin(): Promise<void> {
    for (let blind = false; ; blind = true) {
      try {
        await site.refresh(call)
        begun = true
        return snapshot()
      } catch (error) {
        if (!isFault(error, 'unavailable')) throw error
        if (!blind) out.push({ type: 'blind', fault: error, at: now() })
      }
      await sleep(clock, lookAgainMs, call)
    }
  }

  begin().catch((error: unknown) => out.fail(error))
  try {
    yield* out
  } finally {
    leave()
    forget()
  }
}
