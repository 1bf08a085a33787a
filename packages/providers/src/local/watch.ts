/** The stream of what is observed: all of it first, then each change, and all of it again after every gap. */
import type { Call } from '@gantry/core'
import { channel, failOnAbort } from '../channel.ts'
import type { Observation } from '../observed.ts'
import type { Site } from './site.ts'

export async function* observations(site: Site, call: Call): AsyncIterable<Observation> {
  call.signal.throwIfAborted()
  const out = channel<Observation>()
  const now = (): Date => new Date(site.parts.clock.now())
  const snapshot = (): void => out.push({ type: 'snapshot', instances: site.all(), at: now() })
  const leave = site.listen((event) => {
    if (event.type === 'lost') out.push({ type: 'blind', fault: event.fault, at: now() })
    else if (event.type === 'found') snapshot()
    else if (site.lost) return
    else if (event.type === 'gone') out.push({ type: 'gone', ref: event.ref, at: now() })
    else {
      const instance = site.observed(event.ref)
      if (instance) out.push({ type: 'changed', instance })
    }
  })
  const forget = failOnAbort(out, call.signal)
  try {
    if (site.lost) out.push({ type: 'blind', fault: site.lost, at: now() })
    else snapshot()
    yield* out
  } finally {
    leave()
    forget()
  }
}
