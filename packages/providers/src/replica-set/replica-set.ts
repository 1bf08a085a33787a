/**
 * The routine that replaces, adds and takes away replicas on engines that only create and remove. It looks, asks the plan,
 * and does what the plan says; whatever it had not finished when it died, the next pass finds and goes on with.
 */
import type { Call, Clock } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { ReplicaHands } from '../engine.ts'
import type { Leaving } from '../leaving.ts'
import type { Observed, Replica } from '../observed.ts'
import { done, type Pass, waitFor } from '../pass.ts'
import { type Ref, refKey } from '../ref.ts'
import { nextMoves } from './plan.ts'
import { Retries } from './retries.ts'
import { replicaCount, viewOf } from './view.ts'

export interface ReplicaSet {
  /** One pass towards `desired`; `done` means looked and so, every replica ready for `minReadySeconds`. */
  converge(desired: Desired, call: Call): Promise<Pass>
  /** One pass towards no replica being there; `done` means looked and gone. */
  drain(ref: Ref, graceMs: number, call: Call): Promise<Pass>
}

export type ReplicaSetParts = {
  readonly hands: ReplicaHands
  readonly look: (ref: Ref, call: Call) => Promise<Observed | undefined>
  readonly leaving: Leaving
  readonly clock: Clock
}

/** What is known of an instance beyond what can be seen; all of it may be lost. */
type Memory = { readonly leaving: Set<string>; readonly retries: Retries }

export function replicaSet({ hands, look, leaving, clock }: ReplicaSetParts): ReplicaSet {
  const memories = new Map<string, Memory>()

  return {
    async converge(desired, call) {
      const { ref, specHash } = desired
      const replicas = (await look(ref, call))?.replicas ?? []
      const memory = remembered(ref, replicas)
      const now = clock.now()
      const views = replicas.map((each) => viewOf(each, (id) => memory.leaving.has(id), now))
      const current = views.filter((view) => view.specHash === specHash && !view.leaving)
      const mayRetry = memory.retries.allow(specHash, current, now)
      const { moves, waiting, afterMs } = nextMoves(desired, views, now, mayRetry)
      for (const move of moves) if (move.do === 'leave') memory.leaving.add(move.id)
      const graceMs = desired.stopGraceSeconds * 1000
      const passes = await allOf([
        ...replicas.filter((each) => isLeaving(memory, each)).map((each) => () => leave(ref, each, graceMs, call)),
        ...moves.flatMap((move) => (move.do === 'create' ? [() => hands.create(desired, move.index, call)] : [])),
      ])
      // Most instances are as they should be, and there is nothing to remember of them.
      if (memory.leaving.size === 0 && memory.retries.isEmpty) memories.delete(refKey(ref))
      if (waiting === undefined) return done
      const soonest = soonestOf(passes, afterMs)
      const retryMs = mayRetry ? Number.POSITIVE_INFINITY : memory.retries.retryAt - now
      return waitFor(sentence(waiting, passes), Math.min(soonest, Math.max(retryMs, 0)))
    },

    async drain(ref, graceMs, call) {
      const replicas = (await look(ref, call))?.replicas ?? []
      const memory = remembered(ref, replicas)
      for (const { engineId } of replicas) memory.leaving.add(engineId)
      const passes = await allOf(replicas.map((each) => () => leave(ref, each, graceMs, call)))
      if (passes.every(({ state }) => state === 'done')) {
        memories.delete(refKey(ref))
        return done
      }
      return waitFor(sentence(`${replicaCount(replicas.length)} to end`, passes), soonestOf(passes, 1000))
    },
  }

  /** The order of leaving. What was stopped already has been routed out before. */
  async function leave(ref: Ref, replica: Replica, graceMs: number, call: Call): Promise<Pass> {
    if (!replica.terminating) {
      const routed = await leaving.routedOut(ref, replica, graceMs, call)
      if (routed.state === 'yield') return routed
    }
    const stopped = await hands.stop(replica.engineId, graceMs, call)
    if (stopped.state === 'yield') return stopped
    const kept = await leaving.logsKept(ref, replica, call)
    return kept.state === 'yield' ? kept : await hands.remove(replica.engineId, call)
  }

  function remembered(ref: Ref, replicas: readonly Replica[]): Memory {
    const key = refKey(ref)
    const memory = memories.get(key) ?? { leaving: new Set(), retries: new Retries() }
    memories.set(key, memory)
    const there = new Set(replicas.map(({ engineId }) => engineId))
    for (const id of memory.leaving) if (!there.has(id)) memory.leaving.delete(id)
    return memory
  }
}

const isLeaving = ({ leaving }: Memory, { engineId, terminating }: Replica): boolean =>
  terminating || leaving.has(engineId)

/** All of them side by side; the first that failed is thrown when every other is through, so nothing runs on unseen. */
async function allOf(work: readonly (() => Promise<Pass>)[]): Promise<Pass[]> {
  const outcomes = await Promise.allSettled(work.map((each) => each()))
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

const soonestOf = (passes: readonly Pass[], otherwise: number): number =>
  Math.min(otherwise, ...passes.flatMap((pass) => (pass.state === 'yield' ? [pass.afterMs] : [])))

/** What the parts wait for says more than how many there are. */
function sentence(waiting: string, passes: readonly Pass[]): string {
  const reasons = new Set(passes.flatMap((pass) => (pass.state === 'yield' ? [pass.reason] : [])))
  return reasons.size === 0 ? waiting : `${waiting}: ${[...reasons].slice(0, 3).join('; ')}`
}
