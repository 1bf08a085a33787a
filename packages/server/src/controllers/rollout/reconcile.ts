/** One step of a rollout: looks, lets `nextStep` decide, and writes all of it in one transaction, or nothing. */
import {
  hasEnded,
  instanceName,
  type ObjectKey,
  type ObjectOf,
  type RolloutStatus,
  type StatusOf,
  slots,
} from '@gantry/core'
import { done, keyOf, type Reconcile, type Result, type Run, waiting } from '@gantry/reconcile'
import { type Command, sameJson } from '@gantry/store'
import { nextStep } from '../../rollout/next-step.ts'
import type { Step } from '../../rollout/step.ts'
import { fencing } from '../deps.ts'
import { commandsFor } from './deeds.ts'
import { engineTraffic } from './engine-traffic.ts'
import { withLogTail } from './log-tail.ts'
import { type Looked, lookAround, type RolloutDeps, siblingKey, workloadKey } from './look.ts'
import { phaseNews, toldStatus } from './told.ts'

type Rollout = ObjectOf<'Rollout'>

export function reconcileRollout(deps: RolloutDeps): Reconcile {
  const engines = engineTraffic(deps.hub)
  return async (key, run) => {
    const rollout = (await deps.store.read(deps.scope, key, run)) as Rollout | undefined
    if (!rollout || hasEnded(rollout.status.phase)) {
      engines.forget(rollout?.metadata.ownerRefs[0]?.uid ?? '')
      return done()
    }
    const looked = await lookAround(deps, engines, rollout, run)
    if (!looked) return done()
    const now = deps.clock.now()
    const step = nextStep(rollout, looked.facts, now)
    const decided = await withReasons(deps, rollout, looked, step.status, run)
    const status = toldStatus(rollout, decided, rollout.metadata.generation, now)
    await write(deps, rollout, looked, { ...step, status }, run)
    const news = phaseNews(rollout.metadata.name, rollout.spec, rollout.status, status)
    if (news) deps.events.record(looked.workload, news)
    return resultOf(rollout, { ...step, status })
  }
}

/** A failure that is new is told with what its process said last. */
async function withReasons(
  deps: RolloutDeps,
  { status: before }: Rollout,
  { instances }: Looked,
  status: RolloutStatus,
  run: Run,
): Promise<RolloutStatus> {
  const { failure } = status
  if (!failure || failure.at === before.failure?.at) return status
  const slot = status.candidate ?? before.candidate ?? status.stable
  const instance = instances.find(({ spec }) => spec.slot === slot)
  return { ...status, failure: await withLogTail(deps, instance, failure, run) }
}

async function write(deps: RolloutDeps, rollout: Rollout, looked: Looked, step: Step, run: Run): Promise<void> {
  const { deeds, status } = step
  const { resourceVersion: ifVersion } = rollout.metadata
  const isSame = sameJson(status, rollout.status)
  const said: Command[] = isSame
    ? []
    : [{ op: 'status', key: keyOf(rollout), status: status as StatusOf<'Rollout'>, ifVersion }]
  const commands = [...said, ...deeds.flatMap((deed) => commandsFor(rollout, looked, deed))]
  if (commands.length === 0) return
  await deps.store.write(deps.scope, commands, fencing(deps, rollout, run), run)
}

const lookAtEdgeMs = 250

/** Comes back when the step says so; whatever else it waits for is among what it refers to. */
function resultOf(rollout: Rollout, { status, afterMs }: Step): Result {
  if (hasEnded(status.phase)) return done()
  const references = referencesOf(rollout)
  // What the edge tells comes at once. It says nothing where there is none, and may have been missed where there is one.
  const soon = afterMs ?? (status.waitingOn === 'edge' ? lookAtEdgeMs : undefined)
  if (soon === undefined) return { ...done(), references }
  const more = { retryAfterMs: soon, stuckAfterMs: Number.POSITIVE_INFINITY }
  return { ...waiting('', status.waitingFor ?? 'the next step', more), references }
}

function referencesOf(rollout: Rollout): ObjectKey[] {
  const { metadata, spec } = rollout
  const instances = slots.map((slot) => ({
    kind: 'Instance',
    tenant: metadata.tenant ?? '',
    name: instanceName(spec.workload, slot),
  }))
  return [workloadKey(rollout), siblingKey(rollout, -1), siblingKey(rollout, 1), ...instances]
}
