/** The edge against Caddy as a proxy for the same backend, one core each: how many requests, and how much later. */
import type { Bench } from './bench.ts'
import { openStage, type Side, type Stage } from './edge/stage.ts'
import { contest, median, type Peer } from './rounds.ts'

const connections = 32
const requests = 20_000
/** Far below what either can do, so that it is their own time that is measured and not that of a queue. */
const pace = 1000
const paced = 4000
const peerName = 'Caddy'
const leastMs = 0.01

export const edge: Bench = {
  name: 'edge',
  about:
    'Proxied requests per second over 32 connections, 512 bytes each, against Caddy of Debian before the same backend: ' +
    'each proxy has one core, the backend and who asks share another.',
  unit: 'requests/s',
  better: 'higher',
  async run(context) {
    const stage = await openStage(context)
    const measure = async (side: Side): Promise<number> =>
      (await stage.drive(side, { connections, count: requests })).perSecond
    try {
      await warm(stage)
      const ours = () => measure('ours')
      const title = `${connections} connections`
      return [await contest(context, { case: title, better: 'higher', ours, peer: peer(stage, measure), reach: 1 })]
    } finally {
      await stage.close()
    }
  },
}

export const edgeLatency: Bench = {
  name: 'edge-latency',
  about:
    `The 99th percentile of what a proxy adds at ${pace} requests a second over 32 connections, counted from when each ` +
    'was due: its own less that of the backend without it. Against Caddy, as above.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const stage = await openStage(context)
    const p99 = async (side: Side): Promise<number> =>
      (await stage.drive(side, { connections, count: paced, pace })).p99
    const direct: number[] = []
    const added = async (side: Side): Promise<number> => {
      direct.push(await p99('direct'))
      // A proxy that seems to add less than nothing was measured on a machine that is not quiet; that must not look good.
      return Math.max(leastMs, (await p99(side)) - median(direct.slice(-5)))
    }
    try {
      await warm(stage)
      const ours = () => added('ours')
      const title = `p99 added at ${pace} requests/s`
      return [await contest(context, { case: title, better: 'lower', ours, peer: peer(stage, added), reach: 1.25 })]
    } finally {
      await stage.close()
    }
  },
}

/** What is compiled on the way is not what a proxy does in its second minute. */
async function warm(stage: Stage): Promise<void> {
  const sides: readonly Side[] = stage.missing === undefined ? ['ours', 'caddy', 'direct'] : ['ours', 'direct']
  for (const side of sides) await stage.drive(side, { connections, count: requests })
}

function peer({ missing }: Stage, measure: (side: Side) => Promise<number>): Peer {
  return missing === undefined ? { name: peerName, run: () => measure('caddy') } : { name: peerName, missing }
}
