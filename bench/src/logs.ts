/** Lines of ten noisy replicas on their way to disk, masked, against `cat` of the same pipes. */
import type { Bench } from './bench.ts'
import { catRound } from './logs/cats.ts'
import { lineBytes, linesEach, replicas } from './logs/lines.ts'
import type { Stored } from './logs/ours.ts'
import { contest, limited } from './rounds.ts'
import { startChild } from './watch/child.ts'

const withinMegabytes = 128

export const logs: Bench = {
  name: 'logs',
  about:
    `${replicas} processes write ${linesEach.toLocaleString('en-US')} lines of ${lineBytes} bytes each, as fast as they are ` +
    'taken; five secrets are masked, one of which is in every hundredth line. Ours collects, masks, batches and stores ' +
    'them in one process; the peer is one cat for each pipe. Everything is read back and compared after each round.',
  unit: 'lines/s, but for what each case says',
  better: 'higher',
  async run(context) {
    const stored: Stored[] = []
    const row = await contest(context, {
      case: 'stored from 10 noisy replicas, masking on',
      better: 'higher',
      ours: async (round) => {
        const child = startChild<never, Stored>(new URL('./logs/ours.js', import.meta.url))
        try {
          const figures = await child.next('stored', context)
          if (round >= 0) stored.push(figures)
          return figures.perSecond
        } finally {
          await child.end()
        }
      },
      peer: { name: 'cat', run: () => catRound() },
      reach: 0.1,
    })
    const lost = stored.map((figures) => figures.lost)
    const memory = stored.map(({ megabytes }) => megabytes)
    return [
      row,
      limited('lines lost, repeated, out of order or not masked', 'lower', lost, 0),
      limited('MB that the resident size grew by at most', 'lower', memory, withinMegabytes),
    ]
  },
}
