/**
 * Makes the release and the rollout that a changed wish asks for, in one write with the status that remembers it, and
 * with the rollout's first step where nothing has to be seen for that.
 */
import { type Call, type ObjectOf, type RolloutSpec, rolloutName } from '@gantry/core'
import type { Command } from '@gantry/store'
import type { ControllerDeps } from '../deps.ts'
import { type Opening, openingOf } from '../rollout/opening.ts'
import { type Author, authorOf } from './author.ts'
import { refuseWhatCannotRun } from './check.ts'
import type { Content } from './content.ts'
import { askedOf, type Before, planRollout, type RolloutPlan, type Wish } from './decide.ts'
import { workloadFinalizer } from './finalizer.ts'
import { areSlotsFree, keptOf } from './look.ts'
import { madeFor } from './made-for.ts'
import { createRelease, releaseSpec } from './release.ts'
import type { Made } from './status.ts'

export type Roll = {
  readonly plan: RolloutPlan
  /** All of it or nothing: after a crash either there is a rollout and the status knows, or neither. */
  readonly commands: readonly Command[]
  readonly made: Made
  /** Of the rollout. */
  readonly spec: RolloutSpec
  /** Of a first rollout: how it begins, which is among the commands. */
  readonly opening?: Opening
}

export async function rollOf(
  deps: ControllerDeps,
  workload: ObjectOf<'Workload'>,
  wish: Wish,
  content: Content,
  call: Call,
): Promise<Roll> {
  const engine = deps.hub.engine(wish.provider)
  await refuseWhatCannotRun(deps, engine, workload, call)
  const before = await look(deps, workload, call)
  const plan = planRollout(wish, content, before)
  const { number, isNew } = plan.release
  const last = before.releases.find(({ spec }) => spec.number === before.newest?.spec.release)
  const author = await authorOf(deps, workload, { plan, content, last: last?.spec }, call)
  const release = isNew
    ? [
        createRelease(workload, {
          ...(await releaseSpec(deps, engine, workload, number, content, last, call)),
          ...author,
        }),
      ]
    : []
  const spec = rolloutSpec(workload, plan, wish, author)
  const isFirst = before.newest === undefined && (await areSlotsFree(deps, workload, call))
  const opening = isFirst ? openingOf(workload, spec, deps.clock.now()) : undefined
  return {
    plan,
    commands: [...release, createRollout(workload, spec, opening), ...(opening?.commands ?? [])],
    made: {
      asked: askedOf(wish),
      releases: Math.max(before.count, number),
      rollout: rolloutName(workload.metadata.name, plan.number),
    },
    spec,
    ...(opening && { opening }),
  }
}

/** Everything that is kept: a status that was lost costs a look, and never a number that is given twice. */
async function look(deps: ControllerDeps, workload: ObjectOf<'Workload'>, call: Call): Promise<Before> {
  // The finalizer is written no later than the first release, so without it there is none to look for.
  if (!workload.metadata.finalizers.includes(workloadFinalizer)) {
    return { releases: [], newest: undefined, count: workload.status.releases ?? 0 }
  }
  const releases = await keptOf(deps, 'Release', workload, call)
  const rollouts = await keptOf(deps, 'Rollout', workload, call)
  const newest = rollouts.toSorted((a, b) => b.spec.number - a.spec.number)[0]
  return { releases, newest, count: workload.status.releases ?? 0 }
}

function rolloutSpec(
  workload: ObjectOf<'Workload'>,
  plan: RolloutPlan,
  { provider, type }: Wish,
  author: Author,
): RolloutSpec {
  const { metadata, spec } = workload
  const { number, release, from, trigger } = plan
  return {
    workload: metadata.name,
    number,
    release: release.number,
    ...(from === undefined ? {} : { from }),
    provider,
    type,
    trigger,
    ...author,
    strategy: spec.strategy,
    ...(spec.restartStamp === undefined ? {} : { restartStamp: spec.restartStamp }),
    paused: false,
    promote: 0,
    resume: 0,
  }
}

function createRollout(workload: ObjectOf<'Workload'>, spec: RolloutSpec, opening: Opening | undefined): Command {
  const { tenant = '', name } = workload.metadata
  const key = { kind: 'Rollout', tenant, name: rolloutName(name, spec.number) }
  const status = opening && { status: opening.rollout.status }
  return { op: 'create', draft: { key, spec, ...status, ...madeFor(workload) } }
}
