/** Single replicas on a daemon. */
import { isFault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { ReplicaHands } from '../engine.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import { refName } from '../ref.ts'
import { wordsOf } from './api/faults.ts'
import { replicaId } from './names.ts'
import { recordOf } from './plan/record.ts'
import type { LiveReplica } from './site/live-replica.ts'
import type { Site } from './site/site.ts'
import type { Volumes } from './volumes.ts'

export type HandsParts = {
  readonly site: Site
  readonly volumes: Volumes
  /** It is known from now on what is wanted. */
  readonly note: (desired: Desired) => void
  readonly ids: () => string
}

const lookAgainMs = 500

export function dockerHands({ site, volumes, note, ids }: HandsParts): ReplicaHands {
  return {
    async create(desired, index, call) {
      note(desired)
      const { ref, specHash } = desired
      const there = site.of(ref).find(({ record, terminating }) => record.index === index && !terminating)
      if (there && there.record.specHash !== specHash) {
        return waitFor(`replica ${index} of another release to be removed`, lookAgainMs)
      }
      const holder = there
        ? undefined
        : await volumes.heldBy(desired, index, (other) => site.of(other).length > 0, call)
      if (holder) {
        return waitFor(`an earlier ${refName(ref)} to let go of the volumes of replica ${index}`, lookAgainMs)
      }
      const tend = async (): Promise<Pass> => {
        const live = there ?? site.add(recordOf(desired, replicaId(ref, index, ids()), index))
        await live.tend(desired, call)
        const waiting = waitingFor(live)
        return waiting === undefined ? done : waitFor(waiting, lookAgainMs)
      }
      return await unlessBusy(() => site.troubles.mending(ref, tend, index))
    },

    async stop(engineId, graceMs) {
      const live = site.replicas.get(engineId)
      if (!live || (await live.stop(graceMs))) return done
      return waitFor(`replica ${live.record.index} to end`, lookAgainMs)
    },

    async remove(engineId, call) {
      const live = site.replicas.get(engineId)
      if (!live) return done
      return await unlessBusy(async () => {
        await live.remove(call)
        site.forget(live)
        return done
      })
    },
  }
}

/** What the daemon is still at is no trouble of the instance: it is asked again. */
async function unlessBusy(work: () => Promise<Pass>): Promise<Pass> {
  try {
    return await work()
  } catch (error) {
    if (!isFault(error) || error.reason !== 'engine_busy') throw error
    return waitFor(`Docker to come to an end with what it has begun (${wordsOf(error)})`, lookAgainMs)
  }
}

/**
 * What keeps a replica from being there; whether it is ready is for a look to say. How far a pull is, a look says as well:
 * here it would be written down anew every second, by everybody who waits.
 */
function waitingFor({ facts: { services } }: LiveReplica): string | undefined {
  const words = services.map(({ record, pulling, trouble }) =>
    pulling === undefined ? trouble?.message : `the image of ${record.name} to be pulled`,
  )
  return words.find((each) => each !== undefined)
}
