/** Waits for what the server says of an engine that it was just told of. */
import type { Client } from '@gantry/api'
import { type Condition, Fault, type FaultReason, faultMeaning, faultReasons, type ObjectOf, sleep } from '@gantry/core'
import type { World } from '../../world/world.ts'

type Provider = ObjectOf<'Provider'>

/** How long a refusal has to last to be believed: an engine that was opened a moment ago may not have been looked at yet. */
const doubtMs = 5_000
const usualPatienceMs = 30_000
const betweenMs = 200

export type Verdict =
  | { readonly state: 'ready' }
  /** `isFinal`: nothing but a change makes it better. */
  | { readonly state: 'refused'; readonly reason: FaultReason; readonly message: string; readonly isFinal: boolean }
  | { readonly state: 'open' }

/** The Provider as it was when it answered; throws why it does not. */
export async function verdictOn(name: string, client: Client, world: World): Promise<Provider> {
  const { clock, signal, globals } = world
  const begun = clock.monotonic()
  const patienceMs = globals.timeoutMs ?? usualPatienceMs
  for (;;) {
    const provider = await client.providers.get(name, { signal })
    const verdict = judge(provider)
    const passedMs = clock.monotonic() - begun
    if (verdict.state === 'ready') return provider
    if (verdict.state === 'refused' && (verdict.isFinal || passedMs > Math.min(doubtMs, patienceMs))) {
      throw new Fault(verdict.reason, `The server cannot use it: ${verdict.message}`)
    }
    if (passedMs > patienceMs) {
      throw new Fault('deadline_exceeded', 'The server has not said in time whether it can use it; see its log')
    }
    await sleep(clock, betweenMs, { signal })
  }
}

/** Pure. */
export function judge({ metadata, status }: Provider): Verdict {
  const ready: Condition | undefined = status.conditions?.find(({ type }) => type === 'Ready')
  if (!ready || status.observedGeneration !== metadata.generation) return { state: 'open' }
  if (ready.status === 'True') return { state: 'ready' }
  const reason = isReason(ready.reason) ? ready.reason : 'engine_unreachable'
  return { state: 'refused', reason, message: ready.message, isFinal: !faultMeaning[faultReasons[reason]].retry }
}

function isReason(text: string): text is FaultReason {
  return Object.hasOwn(faultReasons, text)
}
