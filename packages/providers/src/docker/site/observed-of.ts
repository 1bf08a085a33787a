/** Pure: from containers to what is observed. */
import type { Endpoint, Observed, Replica, ServiceObserved, ServicePhase, Stall } from '../../observed.ts'
import type { Ref } from '../../ref.ts'
import {
  exitWords,
  hasEnded,
  isReplicaReady,
  isServiceReady,
  type ReplicaFacts,
  type ServiceFacts,
  withWarnings,
} from './facts.ts'
import { failedOf, stallOf } from './stall.ts'

export type InstanceFacts = {
  readonly ref: Ref
  readonly replicas: readonly ReplicaFacts[]
  /** What kept the last pass from making a replica. */
  readonly trouble: Stall | undefined
  readonly drift: readonly string[]
  readonly notEnforced: readonly string[]
}

export function observedOf({ ref, replicas, trouble, drift, notEnforced }: InstanceFacts, now: number): Observed {
  const order = [...replicas].sort((left, right) => left.record.index - right.record.index)
  const staying = order.filter(({ terminating }) => !terminating)
  const stalled = trouble ?? staying.map(stallOf).find((stall) => stall !== undefined)
  return {
    ref,
    replicas: order.map(replicaOf),
    endpoints: [],
    ...(stalled ? { stalled } : {}),
    drift,
    notEnforced,
    at: new Date(now),
  }
}

export function replicaOf(facts: ReplicaFacts): Replica {
  const { record, terminating } = facts
  const { engineId, index, release, specHash } = record
  const ready = isReplicaReady(facts)
  const failed = failedOf(facts)
  return {
    engineId,
    index,
    release,
    specHash,
    ready,
    ...(ready ? { readySince: new Date(readySince(facts)) } : {}),
    terminating,
    ...(failed === undefined ? {} : { failed }),
    services: Object.fromEntries(
      facts.services.map((service) => [service.record.name, serviceOf(service, terminating)]),
    ),
    endpoints: endpointsOf(facts),
  }
}

const readySince = ({ services }: ReplicaFacts): number =>
  Math.max(
    0,
    ...services
      .filter(({ record }) => record.role !== 'init')
      .map(({ container, health }) => health?.readySince ?? container?.startedAt ?? 0),
  )

function serviceOf(facts: ServiceFacts, terminating: boolean): ServiceObserved {
  const { record, container, lastExit, restarts } = facts
  const phase = phaseOf(facts, terminating)
  const message = messageOf(facts, phase)
  return {
    role: record.role,
    phase,
    ready: isServiceReady(facts),
    restarts,
    ...(container?.startedAt === undefined ? {} : { startedAt: new Date(container.startedAt) }),
    ...(lastExit ? { exitCode: lastExit.code } : {}),
    ...(message === undefined ? {} : { message }),
    ...(container ? { engineId: container.id } : {}),
  }
}

function phaseOf(facts: ServiceFacts, terminating: boolean): ServicePhase {
  const { container, record, stale, health, trouble, pulling } = facts
  if (!container) return pulling === undefined ? (trouble ? 'crashed' : 'waiting') : 'pulling'
  switch (container.status) {
    case 'created':
      return trouble ? 'crashed' : 'waiting'
    case 'running':
    case 'paused':
      if (terminating) return 'stopping'
      return stale || (record.healthCheck && !health?.everReady) ? 'starting' : 'running'
    case 'restarting':
      return 'crashed'
    case 'removing':
    case 'dead':
      return 'stopping'
    case 'exited':
      return ended(facts, terminating)
    default:
      return container.status satisfies never
  }
}

function ended(facts: ServiceFacts, terminating: boolean): ServicePhase {
  const { container, lastExit, record, stale, trouble } = facts
  if (terminating || lastExit?.asked) return 'stopped'
  if (container?.startedAt === undefined || trouble) return trouble ? 'crashed' : 'waiting'
  if (container.exitCode === 0 && (record.role === 'init' || hasEnded(facts))) return 'completed'
  return stale || lastExit?.byOthers ? 'stopped' : 'crashed'
}

function messageOf(facts: ServiceFacts, phase: ServicePhase): string | undefined {
  const { trouble, pulling, warnings } = facts
  if (trouble) return withWarnings(trouble.message, facts)
  if (phase === 'pulling') return pulling
  if (phase === 'crashed') return exitWords(facts)
  if (phase !== 'running' && phase !== 'starting') return undefined
  const words = runningWords(facts)
  if (words !== undefined) return withWarnings(words, facts)
  return warnings.length === 0 ? undefined : warnings.join('; ')
}

function runningWords({ container, health, stale, childOomAt }: ServiceFacts): string | undefined {
  if (container?.status === 'paused') return 'was paused by somebody else'
  if (stale) return 'is cut off from its network, and is started anew'
  if (childOomAt !== undefined) return `one of its processes was killed for want of memory`
  return health?.message
}

/** At the replica's own address, which comes first: what is opened on the machine as well is for others. */
function endpointsOf({ record, address }: ReplicaFacts): Endpoint[] {
  const lasting = record.services.filter(({ role }) => role !== 'init')
  return lasting.flatMap(({ name: service, ports }) =>
    ports.flatMap(({ name: port, port: number, protocol, hostPort, bind }): Endpoint[] => {
      const common = { service, port, protocol, stable: false, via: 'direct' } as const
      const own = address === undefined ? [] : [{ ...common, public: false, dial: { host: address, port: number } }]
      const host = bind === '0.0.0.0' || bind === '::' ? '127.0.0.1' : bind
      return hostPort > 0 ? [...own, { ...common, public: true, dial: { host, port: hostPort } }] : own
    }),
  )
}
