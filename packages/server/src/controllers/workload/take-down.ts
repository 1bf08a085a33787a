/** The end of a workload: its instances first, each seen to be gone, then all that was kept for it, its finalizer last. */
import { canonicalJson, instanceFinalizer, type ObjectOf } from '@gantry/core'
import { done, keyOf, type Result, type Run, waiting } from '@gantry/reconcile'
import type { Command, WriteContext } from '@gantry/store'
import { conditionsOf, unknown, type Verdict } from '../conditions.ts'
import { type ControllerDeps, fencing } from '../deps.ts'
import { retainedNote } from '../instance/reconcile.ts'
import { type AbandonmentSpec, abandonmentOf, leftBehind } from './abandonment.ts'
import { workloadFinalizer } from './finalizer.ts'
import { instancesOf } from './look.ts'

type Workload = ObjectOf<'Workload'>
type Instance = ObjectOf<'Instance'>

export async function takeDown(deps: ControllerDeps, workload: Workload, run: Run): Promise<Result> {
  const instances = await instancesOf(deps, workload, run)
  const abandonment = await abandonmentOf(deps, workload, run)
  if (abandonment) return await abandon(deps, workload, instances, abandonment, run)
  if (instances.length === 0) return await forget(deps, workload, [], {}, run)
  const staying = instances.filter(({ metadata }) => metadata.deletionRequestedAt === undefined)
  const deletes = staying.flatMap((instance) => [...withVolumes(workload, instance), deletion(instance)])
  const status = {
    ...workload.status,
    observedGeneration: workload.metadata.generation,
    state: 'destroying',
    conditions: conditionsOf(whileGoing(instances), workload.status.conditions ?? [], deps.clock.now()),
  }
  const isSame = canonicalJson(status) === canonicalJson(workload.status)
  const { resourceVersion } = workload.metadata
  const said: Command[] = isSame ? [] : [{ op: 'status', key: keyOf(workload), status, ifVersion: resourceVersion }]
  if (said.length + deletes.length > 0) {
    await deps.store.write(deps.scope, [...said, ...deletes], fencing(deps, workload, run), run)
  }
  // A change of an instance brings it back at once; this is for the one that was missed.
  return waiting('', goingText(instances), { retryAfterMs: lookAgainMs })
}

const lookAgainMs = 30_000

function deletion(instance: Instance): Command {
  return { op: 'delete', key: keyOf(instance), ifUid: instance.metadata.uid }
}

/** What a user said of the volumes when the workload was to go, is said of its instances: they outlive it for a moment. */
function withVolumes({ metadata }: Workload, instance: Instance): Command[] {
  const said = metadata.annotations[retainedNote]
  if (said === undefined) return []
  const { labels, annotations } = instance.metadata
  const noted = { ...annotations, [retainedNote]: said }
  return [{ op: 'replace', draft: { key: keyOf(instance), spec: instance.spec, labels, annotations: noted } }]
}

/** Releases, rollouts, events and contents in the vault are owned, and go in the same step as the workload. */
async function forget(
  deps: ControllerDeps,
  workload: Workload,
  besides: readonly Command[],
  record: Pick<WriteContext, 'audit'>,
  run: Run,
): Promise<Result> {
  const { uid } = workload.metadata
  const last: Command = { op: 'removeFinalizer', key: keyOf(workload), finalizer: workloadFinalizer, ifUid: uid }
  const context = { ...fencing(deps, workload, run), ...record }
  await deps.store.write(deps.scope, [...besides, last], context, run)
  return done()
}

async function abandon(
  deps: ControllerDeps,
  workload: Workload,
  instances: readonly Instance[],
  { by, why }: AbandonmentSpec,
  run: Run,
): Promise<Result> {
  const letGo = instances.flatMap((instance): Command[] => [
    deletion(instance),
    { op: 'removeFinalizer', key: keyOf(instance), finalizer: instanceFinalizer, ifUid: instance.metadata.uid },
  ])
  const { tenant = '', uid } = workload.metadata
  const detail = { why, uid, left: leftBehind(instances) }
  const target = keyOf(workload)
  const audit = { actor: by, action: 'workload.abandon', outcome: 'done', tenant, target, detail } as const
  const result = await forget(deps, workload, letGo, { audit }, run)
  await tellProviders(deps, workload, instances, run)
  return result
}

/** Where somebody who comes back to the engine looks. */
async function tellProviders(
  deps: ControllerDeps,
  workload: Workload,
  left: readonly Instance[],
  run: Run,
): Promise<void> {
  const { tenant = '', name } = workload.metadata
  for (const instance of left) {
    const found = await deps.store.read(deps.scope, { kind: 'Provider', name: instance.spec.provider }, run)
    const message = `workload "${name}" of tenant "${tenant}" was abandoned; left alone: ${leftBehind([instance])}`
    if (found) deps.events.record(found, { type: 'warning', reason: 'Abandoned', message, by: 'workload-controller' })
  }
}

function whileGoing(instances: readonly Instance[]): Verdict {
  const blind = instances.find(({ status }) => status.blind)
  const cause = blind?.status.blind
  if (blind && cause) {
    const { provider } = blind.spec
    const why = `Provider "${provider}" cannot be looked at since ${cause.since}: ${cause.message}`
    return unknown(cause.reason, `${why}. Being deleted; if it is gone for good, \`delete --abandon\` gives up on it`)
  }
  const message = `Being deleted: waiting for ${goingText(instances)}`
  return {
    Ready: ['False', 'deleting', message],
    Progressing: ['True', 'deleting', message],
    Degraded: ['False', 'deleting', ''],
  }
}

function goingText(instances: readonly Instance[]): string {
  return instances
    .map(({ spec, status }) => {
      const detail = status.waitingFor === undefined ? '' : ` (${status.waitingFor})`
      return `slot ${spec.slot} on provider "${spec.provider}" to be gone${detail}`
    })
    .join(' and ')
}
