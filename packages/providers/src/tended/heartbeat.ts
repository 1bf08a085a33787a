/** Whether an engine that says nothing has nothing to say: it is asked now and then, and a signal ends when it does not answer. */
import { type Call, type Clock, type Deadline, type Fault, isFault, withDeadline } from '@gantry/core'

const everyMs = 2000
const withinMs = 5000

export type Heartbeat = Call & {
  /** It is not followed any more, for this reason. */
  readonly end: (reason: Fault) => void
  readonly clear: () => void
}

export type HeartbeatParts = {
  /** Of the engine, for people. */
  readonly name: string
  readonly ask: (call: Call) => Promise<unknown>
  readonly clock: Clock
}

export function heartbeat({ name, ask, clock }: HeartbeatParts, call: Call): Heartbeat {
  // So long that it never comes by itself: what is wanted is a signal that ends with the caller's, or by us.
  const whole: Deadline = withDeadline(clock, 10 * 365 * 86_400_000, `Following what happens on ${name}`, call)
  let over = false
  let cancel = clock.after(everyMs, () => void beat())
  return {
    signal: whole.signal,
    end: whole.end,
    clear: () => {
      over = true
      cancel()
      whole.clear()
      whole.end(new Error('no longer followed'))
    },
  }

  async function beat(): Promise<void> {
    const deadline = withDeadline(clock, withinMs, `An answer of ${name}`, whole)
    try {
      await ask(deadline)
      if (!over) cancel = clock.after(everyMs, () => void beat())
    } catch (error) {
      if (!over) whole.end(isFault(error) ? error : new Error(String(error)))
    } finally {
      deadline.clear()
    }
  }
}
