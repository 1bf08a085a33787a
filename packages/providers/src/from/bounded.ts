/** Calls an engine and waits no longer than the signal lets us, also when the engine ignores it. */
import { type Call, orAbort } from '@gantry/core'

/** Begins only if nobody has left yet: work that fails after everybody left would fail unheard. */
export async function bounded<T>(work: (call: Call) => Promise<T>, call: Call): Promise<T> {
  call.signal.throwIfAborted()
  return await orAbort(work(call), call)
}
