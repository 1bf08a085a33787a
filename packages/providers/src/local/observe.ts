/** Pure: from records and processes to what is observed. */
import type { Endpoint, Observed, Replica, ServiceObserved, ServicePhase, Stall } from '../observed.ts'
import type { Ref } from '../ref.ts'
import { exitWords, isReplicaReady, isServiceReady, type ReplicaFacts, type ServiceFacts } from './facts.ts'
import type { InstanceRecord, PortRecord } from './records.ts'
import { failedOf, stallOf } from './stall.ts'
import type { LimitName } from './supervisor/process-spec.ts'

export type InstanceFacts = {
  readonly ref: Ref
  /** `undefined`: only replicas of it were found. */
  readonly record: InstanceRecord | undefined
  readonly replicas: readonly ReplicaFacts[]
  /** What kept the last pass from making a replica. */
  readonly trouble: Stall | undefined
}

export function observedOf({ ref, record, replicas, trouble }: InstanceFacts, now: number): Observed {
  const order = [...replicas].sort((left, right) => left.record.index - right.record.index)
  const staying = order.filter((facts) => !facts.record.terminating)
  const stalled = trouble ?? staying.map((facts) => stallOf(facts, now)).find((stall) => stall !== undefined)
  return {
    ref,
    replicas: order.map(replicaOf),
    endpoints: [],
    ...(stalled ? { stalled } : {}),
    drift: [],
    notEnforced: [...new Set([...(record?.notEnforced ?? []), ...staying.flatMap(notInForce)])],
    at: new Date(now),
  }
}

const fieldOf = { cpuMillis: 'cpu', memoryBytes: 'memory', pids: 'pids' } as const satisfies Record<LimitName, string>

/** Limits that could be promised and then could not be kept. */
const notInForce = ({ services }: ReplicaFacts): string[] =>
  services.flatMap(({ process }, at) =>
    (process?.notEnforced ?? []).map((limit) => `spec.services[${at}].resources.${fieldOf[limit]}`),
  )

export function replicaOf(facts: ReplicaFacts): Replica {
  const { engineId, index, release, specHash, terminating } = facts.record
  const ready = isReplicaReady(facts)
  const since = ready ? readySince(facts) : undefined
  const failed = failedOf(facts)
  return {
    engineId,
    index,
    release,
    specHash,
    ready,
    ...(since === undefined ? {} : { readySince: new Date(since) }),
    terminating,
    ...(failed === undefined ? {} : { failed }),
    services: Object.fromEntries(facts.services.map((service) => [service.record.name, serviceOf(service)])),
    endpoints: facts.services.flatMap(({ record }) => record.ports.map((port) => endpointOf(record.name, port))),
  }
}

const readySince = ({ services }: ReplicaFacts): number =>
  Math.max(0, ...services.map(({ process, health }) => health?.readySince ?? process?.startedAt?.getTime() ?? 0))

function serviceOf(facts: ServiceFacts): ServiceObserved {
  const { record, process, unhealthyRestarts } = facts
  const phase = phaseOf(facts)
  const message = messageOf(facts, phase)
  return {
    role: record.role,
    phase,
    ready: isServiceReady(facts),
    restarts: (process?.restarts ?? 0) + unhealthyRestarts,
    ...(process?.startedAt && process.run > 0 ? { startedAt: process.startedAt } : {}),
    ...(process?.lastExit ? { exitCode: process.lastExit.code } : {}),
    ...(message === undefined ? {} : { message }),
    ...(process ? { engineId: process.id } : {}),
  }
}

function phaseOf({ process, record, health, trouble }: ServiceFacts): ServicePhase {
  if (!process) return trouble ? 'crashed' : 'waiting'
  switch (process.phase) {
    case 'running':
      return record.healthCheck && !health?.everReady ? 'starting' : 'running'
    case 'waiting':
      return process.lastExit || process.problem ? 'crashed' : 'starting'
    case 'stopping':
      return process.lastExit?.asked === false && process.pid === undefined ? 'crashed' : 'stopping'
    case 'stopped':
      return 'stopped'
    case 'ended':
      return 'completed'
    case 'failed':
      return 'crashed'
    default:
      return process.phase satisfies never
  }
}

function messageOf(facts: ServiceFacts, phase: ServicePhase): string | undefined {
  const { process, health, trouble } = facts
  if (trouble) return trouble.message
  if (process?.problem) return process.problem.message
  if (phase === 'crashed') return exitWords(facts)
  return process?.phase === 'running' ? health?.message : undefined
}

/** A process opens its ports itself. Those that are nobody's business but ours are on the loopback. */
function endpointOf(service: string, { name, protocol, number, bind }: PortRecord): Endpoint {
  const everywhere = bind === undefined || bind === '0.0.0.0' || bind === '::'
  const host = everywhere ? '127.0.0.1' : bind
  const dial = { host, port: number }
  return { service, port: name, protocol, stable: false, public: bind !== undefined, via: 'direct', dial }
}
