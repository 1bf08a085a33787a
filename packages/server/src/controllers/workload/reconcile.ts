/** One pass over a workload: Release and Rollout when what is asked for has changed, the rest in place, then the status. */
import { asFault, type Fault, type ObjectKey, type ObjectOf, rolloutName } from '@gantry/core'
import { done, failed, keyOf, type Reconcile, type Result, type Run } from '@gantry/reconcile'
import { type Command, sameJson } from '@gantry/store'
import { type ControllerDeps, fencing } from '../deps.ts'
import { phaseNews } from '../rollout/told.ts'
import { refuseWhatCannotRun } from './check.ts'
import { chooseProvider } from './choose-provider.ts'
import { type Content, contentOf, secretKeys } from './content.ts'
import { askedOf, type Wish } from './decide.ts'
import { unmetDependencies } from './dependencies.ts'
import { workloadFinalizer } from './finalizer.ts'
import { inPlaceChanges } from './in-place.ts'
import { dependenciesOf, instancesOf, newestRollout, providersOf } from './look.ts'
import { type Roll, rollOf } from './roll.ts'
import { type Looked, type Made, statusOf } from './status.ts'
import { takeDown } from './take-down.ts'

type Workload = ObjectOf<'Workload'>

export function reconcileWorkload(deps: ControllerDeps): Reconcile {
  return async (key, run) => {
    const workload = (await deps.store.read(deps.scope, key, run)) as Workload | undefined
    if (!workload) return done()
    if (workload.metadata.deletionRequestedAt !== undefined) {
      return workload.metadata.finalizers.includes(workloadFinalizer) ? await takeDown(deps, workload, run) : done()
    }
    return await converge(deps, workload, run)
  }
}

async function converge(deps: ControllerDeps, workload: Workload, run: Run): Promise<Result> {
  const looked = await lookAround(deps, workload, run)
  const next = await decide(deps, looked, run)
  const commands: Command[] = [...(next.roll?.commands ?? []), ...(next.changes ?? [])]
  if (!workload.metadata.finalizers.includes(workloadFinalizer)) {
    commands.push({ op: 'addFinalizer', key: keyOf(workload), finalizer: workloadFinalizer })
  }
  // An engine may have been asked meanwhile, and it may have taken its time: what is said is of now.
  const seen = next.hasAskedEngine ? await lookAround(deps, workload, run) : looked
  const now = next.roll ? withRoll(seen, next.roll) : seen
  await write(deps, { ...now, ...next }, next.roll?.made ?? keptMade(workload), commands, run)
  if (next.roll) announce(deps, workload, next.roll)
  const references = [...next.references, ...secretKeys(workload), ...dependencyKeys(workload)]
  return { ...(next.fault ? failed('', next.fault) : done()), references }
}

/** What is there now. */
type Around = Looked & {
  readonly newest: ObjectOf<'Rollout'> | undefined
  readonly instances: readonly ObjectOf<'Instance'>[]
}

async function lookAround(deps: ControllerDeps, workload: Workload, run: Run): Promise<Around> {
  const [newest, instances] = await Promise.all([newestRollout(deps, workload, run), instancesOf(deps, workload, run)])
  return { workload, newest, instances }
}

/**
 * What a rollout begins with is there when the status is, so it is in it: nothing is left to be written while it starts, and
 * nobody reads that nothing is left to do of a generation whose rollout begins with these words.
 */
function withRoll(looked: Looked, { opening, spec }: Roll): Looked {
  if (opening) return { ...looked, newest: opening.rollout, instances: opening.instances }
  const stable = looked.newest?.status.stable
  return { ...looked, newest: { spec, status: stable === undefined ? {} : { stable } } }
}

type Decision = {
  readonly roll?: Roll
  /** Of instances that are there. */
  readonly changes?: readonly Command[]
  readonly waiting?: string
  readonly fault?: Fault
  /** Which may have taken its time. */
  readonly hasAskedEngine?: boolean
  readonly references: readonly ObjectKey[]
}

async function decide(deps: ControllerDeps, looked: Around, run: Run): Promise<Decision> {
  const { workload, instances, newest } = looked
  let references: ObjectKey[] = []
  let changes: readonly Command[] = []
  let hasAskedEngine = false
  try {
    const { metadata, spec, status } = workload
    const stable = instances.find((one) => one.spec.slot === (newest?.status.stable ?? status.stable)) ?? instances[0]
    const place = { tenant: metadata.tenant ?? '', named: spec.provider, current: stable?.spec.provider }
    const providers = await providersOf(deps, place.tenant, place.named ?? place.current, run)
    // Until one that will do is there, any change of any of them may be the one that is waited for.
    references = providers.map(keyOf)
    const provider = chooseProvider(providers, place)
    references = [{ kind: 'Provider', name: provider }]
    const wanted = inPlaceChanges(workload, instances)
    if (wanted.length > 0) await refuseWhatCannotRun(deps, deps.hub.engine(provider), workload, run)
    changes = wanted
    const content = await contentOf(deps, workload, run)
    const wish = wishOf(workload, provider, content)
    if (askedOf(wish) === status.asked) return { changes, references }
    const waiting = newest ? undefined : unmetDependencies(await dependenciesOf(deps, workload, run))
    if (waiting !== undefined) return { waiting, changes, references }
    hasAskedEngine = true
    return { roll: await rollOf(deps, workload, wish, content, run), hasAskedEngine, changes, references }
  } catch (error) {
    run.signal.throwIfAborted()
    // What can be changed in place is, also when a release cannot be made.
    return { fault: asFault(error), hasAskedEngine, changes, references }
  }
}

function wishOf({ spec }: Workload, provider: string, { hash }: Content): Wish {
  return { hash, provider, type: spec.type, restartStamp: spec.restartStamp }
}

const keptMade = ({ status: { asked, releases, rollout } }: Workload): Made => ({
  ...(asked === undefined ? {} : { asked }),
  ...(releases === undefined ? {} : { releases }),
  ...(rollout === undefined ? {} : { rollout }),
})

/** The status first: it is about the version that was read, and everything else makes another. */
async function write(
  deps: ControllerDeps,
  looked: Looked,
  made: Made,
  commands: readonly Command[],
  run: Run,
): Promise<void> {
  const { workload } = looked
  const status = statusOf(looked, made, deps.clock.now())
  const isSame = sameJson(status, workload.status)
  const { resourceVersion } = workload.metadata
  const said: Command[] = isSame ? [] : [{ op: 'status', key: keyOf(workload), status, ifVersion: resourceVersion }]
  if (said.length + commands.length === 0) return
  await deps.store.write(deps.scope, [...said, ...commands], fencing(deps, workload, run), run)
}

function announce({ events }: ControllerDeps, workload: Workload, { plan, opening }: Roll): void {
  const { trigger, release, from } = plan
  const after = from === undefined || from === release.number ? '' : ` in place of v${from}`
  const message = `rolls out v${release.number}${after} (${trigger})`
  events.record(workload, { type: 'normal', reason: 'Rollout', message, by: 'workload-controller' })
  if (!opening) return
  const { spec, status } = opening.rollout
  const news = phaseNews(rolloutName(workload.metadata.name, spec.number), spec, {}, status)
  if (news) events.record(workload, news)
}

const dependencyKeys = ({ metadata: { tenant = '' }, spec }: Workload): ObjectKey[] =>
  spec.dependsOn.map(({ workload }) => ({ kind: 'Workload', tenant, name: workload }))
