/** How soon traffic is back on the release before, when somebody decides so and its replicas still run. */
import type { Bench } from './bench.ts'
import { openRollbacks } from './rollback/ours.ts'
import { limited, plain } from './rounds.ts'

const withinMs = 2000

export const rollback: Bench = {
  name: 'rollback',
  about:
    'From the rollback of a blue-green workload of two replicas over the API, while the old release is kept warm, until ' +
    'the edge answers with the old release and nothing else. On real processes, with four connections busy.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const rollbacks = await openRollbacks(context)
    const figures: number[] = []
    try {
      for (let round = -1; round < context.rounds; round++) {
        context.signal.throwIfAborted()
        const ms = await rollbacks.once(round)
        if (round < 0) continue
        figures.push(ms)
        context.say(`round ${round + 1} of ${context.rounds}, ours ${plain(ms)}`)
      }
      return [limited('decision to traffic on the old release, warm', 'lower', figures, withinMs)]
    } finally {
      await rollbacks.close()
    }
  },
}
