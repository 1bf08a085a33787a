/** All that is known of a replica at one moment, as values: what observing and planning read. */
import type { Progress } from '../start-order.ts'
import type { HealthSeen } from '../tended/checkup.ts'
import type { ReplicaRecord, ServiceRecord } from './records.ts'
import type { ProcessSeen } from './supervisor/process-seen.ts'

/** What stands in the way of a service beyond its process, in a sentence. */
export type Trouble = {
  readonly message: string
  readonly at: Date
  /** Another replica would not have it. */
  readonly ofReplica: boolean
}

export type ServiceFacts = {
  readonly record: ServiceRecord
  readonly process: ProcessSeen | undefined
  /** Only where there is a check, of the run that is going on. */
  readonly health: HealthSeen | undefined
  readonly trouble: Trouble | undefined
  /** The last line it wrote before its last end. */
  readonly lastLine: string | undefined
  /** When it had ended so often in a row that it was no accident any more. */
  readonly crashingSince: number | undefined
  /** Restarts that its health check asked for, on top of those after ends of its own. */
  readonly unhealthyRestarts: number
}

export type ReplicaFacts = { readonly record: ReplicaRecord; readonly services: readonly ServiceFacts[] }

export function isServiceReady({ record, process, health }: ServiceFacts): boolean | undefined {
  if (record.role === 'init') return process?.phase === 'ended'
  if (process?.phase !== 'running') return false
  return record.healthCheck ? (health ? health.ready : undefined) : true
}

/** `undefined`: nobody knows of all of it. */
export function isReplicaReady({ record, services }: ReplicaFacts): boolean | undefined {
  if (record.terminating) return false
  const long = services.filter((each) => each.record.role !== 'init').map(isServiceReady)
  if (long.includes(false)) return false
  return long.includes(undefined) ? undefined : true
}

/** How far a service has come, for the order of starting. */
export function progressOf(facts: ServiceFacts): Progress {
  const { process } = facts
  if (!process || process.run === 0) return process?.problem ? 'failed' : 'waiting'
  if (process.phase === 'ended') return 'completed'
  if (process.phase === 'running') return isServiceReady(facts) && facts.record.role !== 'init' ? 'healthy' : 'started'
  return 'failed'
}

/** How a run ended, in words: `exited with code 3: cannot open database`. */
export function exitWords({ process, lastLine }: Pick<ServiceFacts, 'process' | 'lastLine'>): string | undefined {
  const exit = process?.lastExit
  if (!exit) return undefined
  const said = lastLine === undefined || lastLine === '' ? '' : `: ${lastLine}`
  if (exit.code === 'unknown') return `ended while nobody looked, with an exit code that is not known${said}`
  const by = exit.signal === undefined ? '' : ` (${exit.signal})`
  return `exited with code ${exit.code}${by}${said}`
}
