/** One pass over an instance: what it shall be, one pass of its engine, and what was seen afterwards. */
import {
  asFault,
  Fault,
  instanceFinalizer,
  isFault,
  type ObjectKey,
  type ObjectOf,
  releaseName,
  type StatusOf,
} from '@gantry/core'
import { type Pass, done as passDone } from '@gantry/providers'
import { done, failed, keyOf, type Reconcile, type Result, type Run, waiting } from '@gantry/reconcile'
import { sameJson } from '@gantry/store'
import { desiredFor, refOf } from '../../engines/desired-for.ts'
import type { Sight } from '../../engines/engine-hub.ts'
import { secretSource } from '../../vault/secret-source.ts'
import { type ControllerDeps, fencing } from '../deps.ts'
import { blindStatus, type Outcome, statusAfter } from './status.ts'

type Instance = ObjectOf<'Instance'>

export function reconcileInstance(deps: ControllerDeps): Reconcile {
  return async (key, run) => {
    const instance = (await deps.store.read(deps.scope, key, run)) as Instance | undefined
    if (!instance) return done()
    const isLeaving = instance.metadata.deletionRequestedAt !== undefined
    if (isLeaving && !instance.metadata.finalizers.includes(instanceFinalizer)) return done()
    const before = sightOf(deps, instance)
    // A pass on an engine that cannot be looked at could only fail; its next snapshot brings this back.
    if (before.state === 'blind') return await unseen(deps, instance, before, run)
    const outcome = await attempt(() => (isLeaving ? removal(deps, instance, run) : pass(deps, instance, run)), run)
    if (isLeaving && outcome.type === 'pass' && outcome.pass.state === 'done') return await forget(deps, instance, run)
    if (outcome.type === 'fault' && isBlindness(outcome.fault)) {
      const since = new Date(deps.clock.now())
      return await unseen(deps, instance, { state: 'blind', fault: outcome.fault, since, last: undefined }, run)
    }
    const status = statusAfter(instance, outcome, sightOf(deps, instance), deps.clock.now())
    await write(deps, instance, status, run)
    return { ...resultOf(outcome), references: references(instance) }
  }
}

async function pass(deps: ControllerDeps, instance: Instance, run: Run): Promise<Outcome> {
  const { spec, metadata } = instance
  // What is stopped is stopped, also while somebody looks at a rollout.
  if (spec.paused && spec.run === 'running') return { type: 'held' }
  const engine = deps.hub.engine(spec.provider)
  const release = await releaseOf(deps, instance, run)
  const { vault, installation } = deps
  const sources = { installation, secrets: secretSource(vault), contents: vault }
  const desired = await desiredFor(metadata.tenant ?? '', spec, release.spec, sources, run)
  const { specHash } = desired
  const refused = engine.check(desired)
  if (refused.length > 0) {
    const list = refused.map(({ path, message }) => `${path}: ${message}`).join('; ')
    const fault = new Fault('field_unsupported', `${engine.type} cannot run this: ${list}`, { issues: refused })
    return { type: 'fault', fault, specHash }
  }
  try {
    return { type: 'pass', pass: await engine.converge(desired, run), specHash }
  } catch (error) {
    run.signal.throwIfAborted()
    return { type: 'fault', fault: asFault(error), specHash }
  }
}

async function removal({ hub }: ControllerDeps, instance: Instance, run: Run): Promise<Outcome> {
  const { metadata, spec } = instance
  const retained = metadata.annotations[retainedNote] === 'delete' ? 'delete' : 'keep'
  const ref = refOf(metadata.tenant ?? '', spec)
  return { type: 'pass', pass: await hub.engine(spec.provider).remove(ref, { retained }, run) }
}

/** Says that what is to be retained shall go too, when the instance does. */
export const retainedNote = 'gantry.dev/retained'

async function attempt(work: () => Promise<Outcome>, { signal }: Run): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    return { type: 'fault', fault: asFault(error) }
  }
}

async function releaseOf(deps: ControllerDeps, { metadata, spec }: Instance, run: Run): Promise<ObjectOf<'Release'>> {
  const name = releaseName(spec.workload, spec.release)
  const found = await deps.store.read(deps.scope, { kind: 'Release', tenant: metadata.tenant ?? '', name }, run)
  if (found) return found as ObjectOf<'Release'>
  throw new Fault(
    'release_not_found',
    `There is no release v${spec.release} of "${spec.workload}"; it is no longer kept`,
  )
}

/** The engine could not be asked: nothing was learnt about what is there. Other faults are its answer. */
const isBlindness = (fault: Fault): boolean => fault.reason === 'engine_unreachable' || isFault(fault, 'deadline')

async function unseen(
  deps: ControllerDeps,
  instance: Instance,
  { fault, since }: Extract<Sight, { state: 'blind' }>,
  run: Run,
): Promise<Result> {
  await write(deps, instance, blindStatus(instance, fault, since, deps.clock.now()), run)
  const result = failed('', fault)
  return { ...(result.state === 'transient' ? { ...result, blind: true } : result), references: references(instance) }
}

/** The last word about it: its engine was looked at, and has nothing of it any more. */
async function forget(deps: ControllerDeps, instance: Instance, run: Run): Promise<Result> {
  const { uid } = instance.metadata
  const command = { op: 'removeFinalizer', key: keyOf(instance), finalizer: instanceFinalizer, ifUid: uid } as const
  await deps.store.write(deps.scope, [command], fencing(deps, instance, run), run)
  return done()
}

async function write(deps: ControllerDeps, instance: Instance, status: StatusOf<'Instance'>, run: Run): Promise<void> {
  if (sameJson(status, instance.status)) return
  const { resourceVersion: ifVersion } = instance.metadata
  const command = { op: 'status', key: keyOf(instance), status, ifVersion } as const
  await deps.store.write(deps.scope, [command], fencing(deps, instance, run), run)
}

function resultOf(outcome: Outcome): Result {
  if (outcome.type === 'fault') return failed('', outcome.fault)
  const pass: Pass = outcome.type === 'held' ? passDone : outcome.pass
  return pass.state === 'done' ? done() : waiting('', pass.reason, { retryAfterMs: pass.afterMs })
}

/** A Provider that comes, or becomes ready again, brings back what is parked because of it. */
function references({ spec }: Instance): ObjectKey[] {
  return [{ kind: 'Provider', name: spec.provider }]
}

function sightOf({ hub }: ControllerDeps, { metadata, spec }: Instance): Sight {
  return hub.sight(spec.provider, refOf(metadata.tenant ?? '', spec))
}
