/**
 * An engine whose calls do not outlive the sight of it. One that hangs is found out by its health, and whoever waits for
 * an answer of it then would wait in vain: the call ends with why it cannot be looked at, as does one that is made while it
 * cannot. Every call has a deadline too. Only asking who it is goes through at any time: that is how it is found again.
 */
import { type Call, type Clock, type Fault, orAbort, withDeadline } from '@gantry/core'
import { type Engine, overlay } from '@gantry/providers'
import type { View } from './engine-hub.ts'

/** Far longer than a pass, which never waits for anything to happen. */
const longestCallMs = 30_000

export interface Sighted {
  readonly view: View
  /** Calls back when the engine is lost, and returns how to take that back. */
  onBlind(lost: (fault: Fault) => void): () => void
}

export function whileSeen(engine: Engine, clock: Clock, sighted: Sighted): Engine {
  async function asked<T>(what: string, call: Call, work: (within: Call) => Promise<T>): Promise<T> {
    call.signal.throwIfAborted()
    if (sighted.view.state === 'blind') throw sighted.view.fault
    const deadline = withDeadline(clock, longestCallMs, `${what} ${engine.type}`, call)
    const forget = sighted.onBlind(deadline.end)
    try {
      // Not every engine listens to its signal at every moment.
      return await orAbort(work(deadline), deadline)
    } finally {
      deadline.clear()
      forget()
    }
  }
  const { resolveImage, usage, capacity } = engine
  return overlay(engine, {
    converge: (desired, call) => asked('A pass on', call, (within) => engine.converge(desired, within)),
    remove: (ref, options, call) => asked('A removal on', call, (within) => engine.remove(ref, options, within)),
    look: (ref, call) => asked('A look at', call, (within) => engine.look(ref, within)),
    ...(resolveImage && {
      resolveImage: (wanted, call) =>
        asked('Looking up an image on', call, (within) => resolveImage.call(engine, wanted, within)),
    }),
    ...(usage && { usage: (ref, call) => asked('Measuring', call, (within) => usage.call(engine, ref, within)) }),
    ...(capacity && { capacity: (call) => asked('Measuring', call, (within) => capacity.call(engine, within)) }),
  })
}
