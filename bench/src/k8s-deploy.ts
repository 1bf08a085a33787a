/** How long another image takes on three replicas on Kubernetes, through the whole of it, against kubectl. */
import { sleep, systemClock } from '@gantry/core'
import type { Bench } from './bench.ts'
import { type Deployed, type Deploys, openKubectl, openOurs, replicas, twoImages } from './k8s/deploys.ts'
import { openStage } from './k8s/stage.ts'
import { compared, plain } from './rounds.ts'

const peerName = 'kubectl set image, rollout status'
const leastRounds = 9
/**
 * A kubelet looks at its containers once a second, so each of the three steps ends with one of its seconds. Whoever begins
 * right behind one, as after something that it has just said, waits for less of them: both begin all over the second.
 */
const phaseOf = (round: number): number => ((round + 2) * 370) % 1_000

export const k8sDeploy: Bench = {
  name: 'k8s-deploy',
  about:
    `From the deploy of another image on ${replicas} replicas until our API says that all of them run it and are ready, and ` +
    'none of before is counted any more; against `kubectl set image` and `kubectl rollout status` on the same cluster, of the ' +
    'same objects (probes, grace, drain, strategy). Then until those of before, which answer for six seconds more, have ' +
    'ended: ours until the rollout has succeeded, theirs with `kubectl wait --for=delete`. Both images are there already.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const stage = await openStage(context)
    try {
      const images = await twoImages(stage, context)
      context.say('three replicas of ours, and as many of the same by kubectl')
      const sides: Record<'ours' | 'peer', Deploys> = {
        ours: await openOurs(stage, images[0], context),
        peer: await openKubectl(stage, context),
      }
      const figures: Record<'ours' | 'peer', Deployed[]> = { ours: [], peer: [] }
      const rounds = Math.max(leastRounds, context.rounds)
      for (let round = -1; round < rounds; round += 1) {
        const image = images[round % 2 === 0 ? 0 : 1]
        // Who comes first is not always the same.
        const order = round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)
        for (const side of order) {
          await sleep(systemClock, phaseOf(round), context)
          figures[side].push(await sides[side].deploy(image))
        }
        const [mine, theirs] = [figures.ours.at(-1), figures.peer.at(-1)]
        const words = (each: Deployed | undefined) => `${plain(each?.available ?? 0)} (${plain(each?.over ?? 0)})`
        context.say(`round ${round + 1} of ${rounds}: ours ${words(mine)}, kubectl ${words(theirs)}`)
      }
      const row = (title: string, reach: number, of: (each: Deployed) => number, name = peerName) =>
        compared({
          case: title,
          better: 'lower',
          reach,
          ours: figures.ours.slice(1).map(of),
          peer: figures.peer.slice(1).map(of),
          peerName: name,
        })
      return [
        row('another image, until available', 1.2, ({ available }) => available),
        row('and until those of before have ended', 1.2, ({ over }) => over, `${peerName}, wait --for=delete`),
      ]
    } finally {
      await stage.close()
    }
  },
}
