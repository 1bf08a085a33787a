/** A store that tells how long it took. It is the same store in everything else. */
import { type Clock, isFault } from '@gantry/core'
import type { Store } from '@gantry/store'
import type { Metrics } from './metrics.ts'
import { writeSpan } from './spans.ts'

type Measured = 'read' | 'list' | 'write' | 'usage' | 'audit' | 'verifyAudit' | 'compact'

/** What is refused is an answer; what failed shows among them too, and in the log of whoever asked. */
export function measuredStore(store: Store, metrics: Pick<Metrics, 'stored'>, clock: Clock): Store {
  const measure = async <T>(method: Measured, work: Promise<T>): Promise<T> => {
    const from = clock.monotonic()
    const tell = (outcome: 'done' | 'refused'): void =>
      metrics.stored({ method, outcome, ms: clock.monotonic() - from })
    try {
      const answer = await work
      tell('done')
      return answer
    } catch (error) {
      if (isFault(error)) tell('refused')
      throw error
    }
  }
  return {
    read: (...asked) => measure('read', store.read(...asked)),
    list: (...asked) => measure('list', store.list(...asked)),
    write: (...asked) =>
      measure(
        'write',
        writeSpan(asked[1].length, () => store.write(...asked)),
      ),
    usage: (...asked) => measure('usage', store.usage(...asked)),
    audit: (...asked) => measure('audit', store.audit(...asked)),
    verifyAudit: (...asked) => measure('verifyAudit', store.verifyAudit(...asked)),
    compact: (...asked) => measure('compact', store.compact(...asked)),
    changes: (...asked) => store.changes(...asked),
    snapshot: (...asked) => store.snapshot(...asked),
    leases: (...asked) => store.leases(...asked),
    close: () => store.close(),
  }
}
