/** How long a change of one service's environment takes on Docker, and what its users notice, against Docker Compose. */
import { sleep, systemClock } from '@gantry/core'
import type { Bench, BenchContext, Row, Spread } from './bench.ts'
import { type Deploys, openCompose, openOurs } from './docker/deploys.ts'
import { openStage } from './docker/stage.ts'
import { contest, type Peer } from './rounds.ts'

const peerName = 'docker compose up -d --wait'
/** A request that was under way when the deploy was over has an answer by then. */
const afterwardsMs = 500

export const dockerDeploy: Bench = {
  name: 'docker-deploy',
  about:
    "From a change of one service's environment until the new one is healthy and the old one gone, while four connections " +
    'ask it all the time, ours through the edge; against `docker compose up -d --wait` of the same program, check and ' +
    'grace, on the same daemon and asked at its published port. The program ends as soon as it is asked to.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const stage = await openStage(context)
    const witnesses: { stop(): Promise<void> }[] = []
    try {
      const ours = await openOurs(stage, context)
      witnesses.push(ours.witness)
      const compose = await openCompose(stage, context)
      if (!('missing' in compose)) witnesses.push(compose.witness)
      const lost = { ours: [] as number[], peer: [] as number[] }
      const peer: Peer =
        'missing' in compose
          ? { name: peerName, missing: compose.missing }
          : { name: peerName, run: (round) => deploy(compose, round, lost.peer, context) }
      const title = 'change of env to healthy'
      const run = (round: number) => deploy(ours, round, lost.ours, context)
      const timed = await contest(context, { case: title, better: 'lower', ours: run, peer, reach: 1.5 })
      return [timed, failures(lost.ours, lost.peer)]
    } finally {
      for (const one of witnesses) await one.stop()
      await stage.close()
    }
  },
}

async function deploy(side: Deploys, round: number, lost: number[], context: BenchContext): Promise<number> {
  side.witness.takeFailed()
  const ms = await side.deploy(`v${round + 2}`)
  await sleep(systemClock, afterwardsMs, context)
  lost.push(side.witness.takeFailed())
  return ms
}

/** All rounds together, the first one too: a median would hide what must not be. */
function failures(ours: readonly number[], peer: readonly number[]): Row {
  const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)
  const spread = (counts: readonly number[]): Spread => [Math.min(...counts), Math.max(...counts)]
  return {
    case: 'requests that failed, all rounds (count)',
    ours: sum(ours),
    peer: sum(peer),
    peerName,
    ratio: null,
    limit: 0,
    rounds: ours.length,
    spread: { ours: spread(ours), peer: peer.length > 0 ? spread(peer) : null },
    reached: sum(ours) === 0,
  }
}
