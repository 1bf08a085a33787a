/** The work queue against client-go's: adds per second until every key has been run. */
import type { Bench, Row } from './bench.ts'
import { contest } from './rounds.ts'
import { keysOf, type Load, measureOurs, orderOf } from './workqueue-load.ts'
import { startGoPeer } from './workqueue-peer.ts'

/** So many adds are made before anything is measured. */
const warmUpAdds = 3_000_000
/** A round takes a fraction of a second, so that one hiccup of the machine spoils it: more rounds than elsewhere. */
const leastRounds = 11
const peerName = 'client-go typed rate-limiting queue'

export const workqueue: Bench = {
  name: 'workqueue',
  about:
    'Adds per second through the queue and its workers until every key has been run, against the queue of client-go: ' +
    'the same keys in the same order, one process each. Ours also keeps tenants fair, priorities and metrics.',
  unit: 'adds/s',
  better: 'higher',
  async run(context) {
    context.say('building the Go peer, unless it is in the cache')
    const peer = await startGoPeer(context)
    const rows: Row[] = []
    for (const load of loads()) {
      const names = { keys: keysOf(load), order: orderOf(load) }
      const run = 'measure' in peer ? { run: () => peer.measure(load) } : { missing: peer.missing }
      // A control plane runs for weeks: what is measured is compiled code, on both sides. No forced garbage collection in
      // between, which would throw the compiled code away together with the queue of the round before.
      for (let adds = 0; adds < warmUpAdds; adds += load.adds) await measureOurs(load, names)
      rows.push(
        await contest(
          { ...context, rounds: Math.max(leastRounds, context.rounds) },
          {
            case: titleOf(load),
            better: 'higher',
            ours: () => measureOurs(load, names),
            peer: { name: peerName, ...run },
            reach: 0.7,
          },
        ),
      )
    }
    if ('close' in peer) peer.close()
    return rows
  },
}

function loads(): Load[] {
  const sizes = [
    { adds: 100_000, keys: 10_000 },
    { adds: 1_000_000, keys: 100_000 },
  ]
  const cases = (['drain', 'interleaved'] as const).flatMap((name) =>
    [1, 8].map((workers) => ({ case: name, workers })),
  )
  return sizes.flatMap((size) => cases.map((one) => ({ ...size, ...one })))
}

function titleOf({ case: name, workers, adds, keys }: Load): string {
  const what = name === 'drain' ? 'add all then drain' : 'adds and workers interleaved'
  return `${what}, ${workers === 1 ? '1 worker' : `${workers} workers`}, ${adds / 1000} k adds over ${keys / 1000} k keys`
}
