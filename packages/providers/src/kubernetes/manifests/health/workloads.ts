/** Kinds that make pods, by their own counts. */
import { at, listAt, numberAt, textAt } from '../fields.ts'
import { conditionOf, count, createdAt, dateOf, isBehind, phaseOf, wantedReplicas } from './conditions.ts'
import { failed, type Health, ready, stalled, waiting } from './verdict.ts'

const notSeen = waiting('its controller has not seen the last change yet')

const unseen = (object: unknown): boolean =>
  isBehind(object) || numberAt(object, 'status', 'observedGeneration') === undefined

const few = (there: number, want: number, what: string): Health => waiting(`${there} of ${want} ${what}`)

export function deploymentHealth(object: unknown): Health {
  if (unseen(object)) return notSeen
  const refused = conditionOf(object, 'ReplicaFailure')
  if (refused?.status === 'True') return stalled(refused.message ?? 'its pods cannot be made')
  const progress = conditionOf(object, 'Progressing')
  const isLate = listAt(object, 'status', 'conditions').some(
    (each) => textAt(each, 'type') === 'Progressing' && textAt(each, 'reason') === 'ProgressDeadlineExceeded',
  )
  if (isLate && progress?.status === 'False') return failed(progress.message ?? 'its deadline has passed')
  const want = wantedReplicas(object)
  const updated = count(object, 'updatedReplicas')
  if (updated < want) return few(updated, want, 'replicas are made anew')
  const old = count(object, 'replicas') - updated
  if (old > 0) return waiting(`${old} old replicas are still there`)
  const available = count(object, 'availableReplicas')
  if (available < want) return few(available, want, 'replicas are available')
  // Available since long ago may have been the release before; the progress tells when this one was through.
  const through = listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === 'Progressing')
  const times = [conditionOf(object, 'Available')?.at, dateOf(textAt(through, 'lastUpdateTime'))]
  const latest = Math.max(...times.flatMap((each) => each?.getTime() ?? []))
  return ready(Number.isFinite(latest) ? new Date(latest) : undefined)
}

export function statefulSetHealth(object: unknown): Health {
  if (unseen(object)) return notSeen
  const want = wantedReplicas(object)
  const there = count(object, 'readyReplicas')
  const isByHand = textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete'
  const partition = numberAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0
  const renewed = Math.max(0, want - partition)
  const updated = count(object, 'updatedReplicas')
  if (!isByHand && updated < renewed) return few(updated, renewed, 'replicas are made anew')
  if (count(object, 'replicas') > want) return waiting(`${count(object, 'replicas') - want} replicas have yet to go`)
  if (there < want) return few(there, want, 'replicas are ready')
  const available = numberAt(object, 'status', 'availableReplicas')
  if (available !== undefined && available < want) return few(available, want, 'replicas are available')
  const revision = textAt(object, 'status', 'updateRevision')
  const isWhole = partition > 0 || isByHand || textAt(object, 'status', 'currentRevision') === revision
  return isWhole ? ready() : waiting('the last replicas are being counted')
}

export function daemonSetHealth(object: unknown): Health {
  if (unseen(object)) return notSeen
  const want = count(object, 'desiredNumberScheduled')
  const updated = count(object, 'updatedNumberScheduled')
  const isByHand = textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete'
  if (!isByHand && updated < want) return few(updated, want, 'nodes have it anew')
  const available = count(object, 'numberAvailable')
  if (available < want) return few(available, want, 'nodes have it available')
  return ready(undefined, want === 0 ? 'no node wants it' : undefined)
}

/** ReplicaSet and ReplicationController. */
export function replicaSetHealth(object: unknown): Health {
  if (unseen(object)) return notSeen
  const refused = conditionOf(object, 'ReplicaFailure')
  if (refused?.status === 'True') return stalled(refused.message ?? 'its pods cannot be made')
  const want = wantedReplicas(object)
  const available = count(object, 'availableReplicas')
  if (available < want) return few(available, want, 'replicas are available')
  const there = count(object, 'replicas')
  return there > want ? waiting(`${there - want} replicas have yet to go`) : ready()
}

export function jobHealth(object: unknown): Health {
  const over = conditionOf(object, 'Failed')
  if (over?.status === 'True') return failed(over.message ?? 'it failed')
  const complete = conditionOf(object, 'Complete')
  if (complete?.status === 'True') return { state: 'completed', ...(complete.at && { since: complete.at }) }
  if (at(object, 'spec', 'suspend') === true) return ready(conditionOf(object, 'Suspended')?.at, 'is suspended')
  const missed = count(object, 'failed')
  const want = numberAt(object, 'spec', 'completions') ?? 1
  const tried = missed > 0 ? `, ${missed} failed` : ''
  return waiting(`${count(object, 'succeeded')} of ${want} completed${tried}`)
}

export function podHealth(object: unknown): Health {
  const phase = phaseOf(object)
  const said = textAt(object, 'status', 'message') ?? textAt(object, 'status', 'reason')
  if (phase === 'Succeeded') return { state: 'completed' }
  if (phase === 'Failed') return failed(said ?? endOf(object) ?? 'it failed')
  const isReady = conditionOf(object, 'Ready')
  if (isReady?.status === 'True') return ready(isReady.at)
  // All of it has ended well; its phase says so a moment later.
  if (isReady?.reason === 'PodCompleted') return { state: 'completed' }
  return waiting(said ?? isReady?.message ?? (phase === undefined ? 'it has not begun' : `it is ${phase}`))
}

function endOf(pod: unknown): string | undefined {
  for (const each of listAt(pod, 'status', 'containerStatuses')) {
    const code = numberAt(each, 'state', 'terminated', 'exitCode')
    if (code) return `${textAt(each, 'name')} ended with exit code ${code}`
  }
  return undefined
}

export const startedAt = (object: unknown): Date | undefined =>
  dateOf(textAt(object, 'status', 'startTime')) ?? createdAt(object)
