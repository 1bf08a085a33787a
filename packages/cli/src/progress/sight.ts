/** Pure: a workload and its replicas in words, as progress shows them. Ages are not in the words: those change by themselves. */
import type { ReplicaStatus } from '@gantry/core'
import { clean } from '../output/table.ts'
import type { Instance, Picture, Rollout, Workload } from './picture.ts'
import { conditionOf, type Goal, isOver, newestOf, verdictOn } from './verdict.ts'

export type Mood = 'good' | 'bad' | 'busy' | 'unknown'

export type WorkloadSight = {
  readonly name: string
  readonly mood: Mood
  /** `v2 rolls out, 10% of requests`. */
  readonly headline: string
  /** `1 of 2 ready`, where that is a question. */
  readonly ready?: string
  /** Read as "waiting for …". */
  readonly waitingFor?: string
  /** Since when that is so. */
  readonly since?: string
  /** What a person can do about it. */
  readonly hint?: string
  readonly replicas: readonly ReplicaSight[]
}

export type ReplicaSight = {
  /** `a/0`: slot and index. */
  readonly place: string
  readonly release: string
  readonly mood: Mood
  readonly state: string
  /** Its services, where that tells more: `web starting, db running (restarted 2 times)`. */
  readonly services: string
  /** The same without what is another every second, for lines that stay. */
  readonly lasting: string
  readonly since?: string
}

export function sightOf(goal: Goal, picture: Picture): WorkloadSight {
  const name = goal.workload
  const workload = picture.workloads.get(name)
  const verdict = verdictOn(goal, picture)
  const replicas = replicasOf(name, picture)
  if (goal.want === 'gone') {
    if (verdict.state === 'done') return { name, mood: 'good', headline: 'gone', replicas: [] }
    const waitingFor = waitOfInstances(name, picture)
    return { name, mood: 'busy', headline: 'being deleted', ...(waitingFor && { waitingFor }), replicas }
  }
  if (!workload) return { name, mood: 'bad', headline: 'not there', replicas }
  const rollout = newestOf(workload, picture)
  const ready = readiness(workload)
  if (verdict.state === 'failed') return { name, mood: 'bad', headline: `failed: ${clean(verdict.why)}`, replicas }
  if (verdict.state === 'done') {
    if (workload.spec.run === 'stopped') return { name, mood: 'good', headline: 'stopped', replicas }
    return { name, mood: 'good', headline: `${release(workload)} runs`, ready, replicas }
  }
  return { name, ready, ...waitOf(workload, rollout), replicas }
}

type Wait = Pick<WorkloadSight, 'mood' | 'headline' | 'waitingFor' | 'since' | 'hint'>

function waitOf(workload: Workload, rollout: Rollout | undefined): Wait {
  const { observedGeneration = 0 } = workload.status
  if (observedGeneration < workload.metadata.generation) {
    return { mood: 'busy', headline: 'asked for', waitingFor: 'the server to begin' }
  }
  if (rollout && !isOver(rollout)) return waitOfRollout(rollout)
  const said = conditionOf(workload, 'Progressing')
  const unready = conditionOf(workload, 'Ready')
  const waitingFor = /^waiting for (.*)$/s.exec(said?.message ?? '')?.[1]
  const why = waitingFor === undefined && unready && unready.status !== 'True' ? `: ${unready.message}` : ''
  return {
    mood: said?.status === 'Unknown' ? 'unknown' : 'busy',
    headline: said?.status === 'Unknown' ? clean(said.message) : clean(`settles${why}`),
    ...(waitingFor !== undefined && { waitingFor: clean(waitingFor) }),
    ...(said && { since: said.since }),
  }
}

const phaseWords: Readonly<Record<string, string>> = {
  pending: 'is about to roll out',
  progressing: 'rolls out',
  paused: 'is paused',
  promoting: 'takes over',
  rolling_back: 'failed and is taken back',
  failed: 'failed',
}

function waitOfRollout(rollout: Rollout): Wait {
  const { spec, status } = rollout
  const { phase = 'pending', waitingFor, waitingOn, since, failure } = status
  const isBack = phase === 'rolling_back'
  const isGate = phase === 'paused' && !spec.paused && !failure
  const words = `v${spec.release} ${isGate ? 'waits at its gate' : (phaseWords[phase] ?? phase)}`
  const why = isBack && failure ? `: ${clean(failure.message)}` : ''
  const isPerson = waitingOn === 'person' || phase === 'paused'
  const verb = spec.paused || failure ? 'resume' : 'promote'
  return {
    mood: isBack || phase === 'failed' ? 'bad' : waitingOn === 'engine' ? 'unknown' : 'busy',
    headline: `${words}${why}${shares(rollout)}`,
    ...(waitingFor !== undefined && { waitingFor: clean(waitingFor) }),
    ...(since !== undefined && { since }),
    ...(isPerson && { hint: `gantry rollout ${verb} ${spec.workload}` }),
  }
}

/** How many of the requests it has, where two releases share them. */
function shares({ spec, status: { weights, candidate } }: Rollout): string {
  if (spec.strategy.type !== 'canary' || !weights || !candidate) return ''
  return `, ${weights[candidate]}% of requests`
}

function readiness({ spec, status }: Workload): string {
  const wanted = spec.run === 'stopped' ? 0 : spec.replicas
  return `${status.readyReplicas ?? '?'} of ${wanted} ready`
}

function release({ status }: Workload): string {
  return status.release === undefined ? 'nothing' : `v${status.release}`
}

function waitOfInstances(name: string, picture: Picture): string | undefined {
  const waits = instancesOf(name, picture).flatMap(({ status }) => status.waitingFor ?? [])
  return waits[0] === undefined ? undefined : clean(waits[0])
}

export function instancesOf(name: string, { instances }: Picture): Instance[] {
  return [...instances.values()]
    .filter(({ spec }) => spec.workload === name)
    .toSorted((one, other) => (one.spec.slot < other.spec.slot ? -1 : 1))
}

function replicasOf(name: string, picture: Picture): ReplicaSight[] {
  return instancesOf(name, picture).flatMap(({ spec, status }) =>
    (status.replicas ?? []).map((replica) => replicaSight(spec.slot, replica, status.blind !== undefined)),
  )
}

/** `blind`: nobody can look at it now; this is how it was before. */
export function replicaSight(slot: string, replica: ReplicaStatus, blind: boolean): ReplicaSight {
  const services = Object.entries(replica.services)
  const started = services.flatMap(([, { startedAt }]) => startedAt ?? []).toSorted()
  const [since] = started.toReversed()
  const { mood, state } = stateOf(replica, blind)
  const words = (isLasting: boolean): string => clean(servicesInWords(services, isLasting))
  const isPlain = state === 'ready' && services.every(([, { restarts }]) => restarts === 0)
  return {
    place: `${slot}/${replica.index}`,
    release: replica.release,
    mood,
    state,
    services: isPlain ? '' : words(false),
    lasting: isPlain ? '' : words(true),
    ...(since !== undefined && { since }),
  }
}

function stateOf({ ready, terminating, services }: ReplicaStatus, blind: boolean): { mood: Mood; state: string } {
  if (blind) return { mood: 'unknown', state: 'unknown' }
  if (terminating) return { mood: 'busy', state: 'leaving' }
  if (ready === true) return { mood: 'good', state: 'ready' }
  if (Object.values(services).some(({ phase }) => phase === 'crashed')) return { mood: 'bad', state: 'crashed' }
  if (ready === undefined) return { mood: 'unknown', state: 'unknown' }
  if (Object.values(services).some(({ phase }) => phase === 'pulling')) return { mood: 'busy', state: 'pulling' }
  const isUp = Object.values(services).every(({ phase }) => phase === 'running' || phase === 'completed')
  return { mood: 'busy', state: isUp ? 'not ready' : 'starting' }
}

type Service = readonly [name: string, status: ReplicaStatus['services'][string]]

/** As many as are read at a glance. */
const mostObjects = 4

/** Of objects that others wrote there may be hundreds: those that are not ready are told, and how many are. */
function servicesInWords(services: readonly Service[], isLasting: boolean): string {
  const tell = (some: readonly Service[]) => some.map(([service, one]) => serviceWords(service, one, isLasting))
  if (!services.some(([name]) => name.includes('/'))) return tell(services).join(', ')
  const open = services.filter(([, { ready }]) => ready !== true)
  const more = open.length > mostObjects ? [`${open.length - mostObjects} more`] : []
  const count = `${services.length - open.length} of ${services.length} objects ready`
  return [...tell(open.slice(0, mostObjects)), ...more, count].join(', ')
}

function serviceWords(
  service: string,
  { phase, exitCode, restarts, message }: ReplicaStatus['services'][string],
  isLasting: boolean,
): string {
  if (phase === 'pulling' && isLasting) return `${service} ${phase}`
  // How far it is says what it does, too.
  if (phase === 'pulling' && message?.startsWith(phase)) return `${service} ${message}`
  // Engines say themselves how it ended, mostly with the code.
  const isTold = exitCode === undefined || message?.includes(String(exitCode)) === true
  const code = !isTold && (phase === 'crashed' || restarts > 0) ? `exit code ${exitCode}` : undefined
  const again = restarts > 0 ? `restarted ${restarts} ${restarts === 1 ? 'time' : 'times'}` : undefined
  const more = [code, again, message].filter((part) => part !== undefined && part !== '')
  return `${service} ${phase}${more.length > 0 ? ` (${more.join(', ')})` : ''}`
}
