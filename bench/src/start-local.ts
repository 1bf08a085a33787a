/** How long a workload of three services takes from its apply until it is ready, against starting the three by hand. */
import type { Bench, Row } from './bench.ts'
import { contest } from './rounds.ts'
import { startByHand } from './start-local/by-hand.ts'
import { openOurs } from './start-local/ours.ts'
import { cases } from './start-local/three.ts'

export const startLocal: Bench = {
  name: 'start-local',
  about:
    'From the apply of a workload of three services (Node HTTP servers, each with a health check) until the API says that ' +
    'it is ready, on real processes under the supervisor; against starting the same three and asking each for its health ' +
    'every 5 ms. The server runs already; each round is a workload of its own, which is deleted afterwards.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const ours = await openOurs(context)
    const rows: Row[] = []
    try {
      for (const { title, readyMs } of cases) {
        const peer = { name: 'spawn and poll', run: () => startByHand(readyMs, context) }
        const start = () => ours.start(readyMs)
        rows.push(await contest(context, { case: title, better: 'lower', ours: start, peer, reach: 1.5 }))
      }
      return rows
    } finally {
      await ours.close()
    }
  },
}
