/** Whether an engine answers: asked with a deadline of its own, and remembered with when that was. */
import { asFault, type Call, type Clock, type Fault, orAbort, withDeadline } from '@gantry/core'
import type { Engine, EngineInfo } from '@gantry/providers'

export type Health = {
  readonly latencyMs: number
  readonly checkedAt: Date
} & ({ readonly healthy: true; readonly info: EngineInfo } | { readonly healthy: false; readonly fault: Fault })

/** Never throws for the engine's sake, only for the caller's. */
export async function healthOf(
  engine: Pick<Engine, 'info' | 'type'>,
  clock: Clock,
  withinMs: number,
  call: Call,
): Promise<Health> {
  const begun = clock.monotonic()
  const deadline = withDeadline(clock, withinMs, `Asking ${engine.type} whether it is well`, call)
  const when = () => ({ latencyMs: clock.monotonic() - begun, checkedAt: new Date(clock.now()) })
  try {
    // An engine that does not listen to its signal must not hold up who asks.
    const info = await orAbort(engine.info(deadline), deadline)
    return { healthy: true, info, ...when() }
  } catch (error) {
    call.signal.throwIfAborted()
    return { healthy: false, fault: asFault(error), ...when() }
  } finally {
    deadline.clear()
  }
}
