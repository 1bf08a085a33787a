/** Pure: from what was seen to what is shown. */
import { aggregate, type InstanceState, worstReady, worstState } from '@gantry/core'
import type { Observed, Replica, ServiceObserved, ServicePhase } from '../observed.ts'
import type { InstanceStatus, ServiceStatus } from '../provider.ts'
import type { InstanceRecord } from '../records.ts'

/** Coming for the first time is provisioning; coming again, after a restart or in place of another, is starting. */
type Coming = 'provisioning' | 'starting'

/** What a phase of a service is as a state. */
export const stateOf = {
  waiting: 'provisioning',
  pulling: 'provisioning',
  starting: 'starting',
  running: 'running',
  stopping: 'stopping',
  completed: 'stopped',
  stopped: 'stopped',
  crashed: 'failed',
} as const satisfies Record<ServicePhase, InstanceState>

/** `undefined` means looked and absent; what we stopped ourselves is stopped, also where nothing of it is left to see. */
export function statusOf(
  observed: Observed | undefined,
  record: InstanceRecord | undefined,
  now: Date,
): InstanceStatus | undefined {
  if (!observed) return record && record.run === 'stopped' && !record.removing ? stoppedStatus(record, now) : undefined
  const staying = observed.replicas.filter(({ terminating }) => !terminating)
  const counted = staying.length > 0 ? staying : observed.replicas
  const coming: Coming = record?.settled === undefined ? 'provisioning' : 'starting'
  const services = serviceStatuses(counted, coming)
  const whole = aggregate(
    counted.flatMap(({ services }) => Object.values(services).map((each) => outlook(each, coming))),
  )
  const wanted = record && (record.run === 'stopped' ? 0 : record.replicas)
  const running = counted.flatMap(({ services }) => Object.values(services).flatMap(runningSince))
  const message = messageOf(observed, services)
  const release = commonRelease(staying)
  return {
    state: stateOfWhole(observed, record?.removing ?? false, whole?.state, wanted, coming),
    ready: wanted !== undefined && staying.length < wanted ? false : readyOf(staying),
    replicas: { wanted, there: staying.length, ready: staying.filter(({ ready }) => ready).length },
    restarts: sum(Object.values(services).map(({ restarts }) => restarts)),
    ...(running.length > 0 ? { startedAt: new Date(Math.min(...running)) } : {}),
    ...(message === undefined ? {} : { message }),
    ...(release === undefined ? {} : { release }),
    endpoints: [...observed.endpoints, ...staying.flatMap(({ endpoints }) => endpoints)],
    services,
    notEnforced: observed.notEnforced,
    drift: observed.drift,
    at: observed.at,
  }
}

/** What the action table is asked with: something is on record, so it is in some state even if nothing is there. */
export function stateForActions(status: InstanceStatus | undefined, record: InstanceRecord): InstanceState {
  if (record.removing) return 'destroying'
  const state = status?.state ?? 'failed'
  // Its replicas leave because none is wanted, not because somebody asked it to stop: more may be asked for at any time.
  return state === 'stopping' && record.run === 'running' ? 'running' : state
}

function stateOfWhole(
  { replicas, stalled }: Observed,
  removing: boolean,
  seen: InstanceState | undefined,
  wanted: number | undefined,
  coming: Coming,
): InstanceState {
  if (removing) return 'destroying'
  if (replicas.length === 0) {
    if (stalled) return 'failed'
    return wanted === 0 ? 'stopped' : coming
  }
  // All leave: to stay away, or to make room for those that take their place.
  if (replicas.every(({ terminating }) => terminating)) return (wanted ?? 0) > 0 ? coming : 'stopping'
  const missing = wanted !== undefined && replicas.filter(({ terminating }) => !terminating).length < wanted
  const states = [...(seen ? [seen] : []), ...(missing ? [coming] : [])]
  return worstState(stalled ? [...states, 'failed'] : states) ?? coming
}

function serviceStatuses(replicas: readonly Replica[], coming: Coming): Record<string, ServiceStatus> {
  const all = new Map<string, ServiceObserved[]>()
  for (const { services } of replicas) {
    for (const [name, seen] of Object.entries(services)) all.set(name, [...(all.get(name) ?? []), seen])
  }
  return Object.fromEntries([...all].map(([name, seen]) => [name, serviceStatus(seen, coming)]))
}

function serviceStatus(seen: readonly ServiceObserved[], coming: Coming): ServiceStatus {
  const message = seen.find((each) => each.message !== undefined)?.message
  return {
    state: worstState(seen.map(({ phase }) => phaseState(phase, coming))) ?? coming,
    ready: worstReady(seen.map(({ ready }) => ready)),
    restarts: sum(seen.map(({ restarts }) => restarts)),
    engineIds: seen.flatMap(({ engineId }) => (engineId === undefined ? [] : [engineId])),
    ...(message === undefined ? {} : { message }),
  }
}

function stoppedStatus(record: InstanceRecord, at: Date): InstanceStatus {
  const replicas = { wanted: 0, there: 0, ready: 0 }
  const nothing = { restarts: 0, endpoints: [], services: {}, notEnforced: [], drift: [] }
  return { state: record.removing ? 'destroying' : 'stopped', ready: false, replicas, ...nothing, at }
}

function messageOf({ stalled }: Observed, services: Readonly<Record<string, ServiceStatus>>): string | undefined {
  if (stalled) return stalled.message
  const worst = Object.entries(services).find(([, { message }]) => message !== undefined)
  return worst && `${worst[0]}: ${worst[1].message}`
}

const readyOf = (replicas: readonly Replica[]): boolean | undefined =>
  replicas.length === 0 ? false : worstReady(replicas.map(({ ready }) => ready))

const phaseState = (phase: ServicePhase, coming: Coming): InstanceState =>
  stateOf[phase] === 'provisioning' ? coming : stateOf[phase]

const outlook = ({ role, phase, ready }: ServiceObserved, coming: Coming) => ({
  role,
  state: phaseState(phase, coming),
  ready,
})

const runningSince = ({ role, phase, startedAt }: ServiceObserved): number[] =>
  role !== 'init' && startedAt && (phase === 'running' || phase === 'starting') ? [startedAt.getTime()] : []

function commonRelease(replicas: readonly Replica[]): string | undefined {
  const [first, ...others] = new Set(replicas.map(({ release }) => release))
  return others.length === 0 ? first : undefined
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, next) => total + next, 0)
