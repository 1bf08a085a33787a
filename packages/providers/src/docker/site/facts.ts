/** All that is known of a replica at one moment, as values: what observing and planning read. */
import type { FaultReason, RestartSpec } from '@gantry/core'
import type { Progress } from '../../start-order.ts'
import type { HealthSeen } from '../../tended/checkup.ts'
import type { ReplicaRecord, ServiceRecord } from '../plan/record.ts'
import { isToRestart } from '../plan/restart.ts'
import { type ContainerSeen, runs } from './seen.ts'

/** What stands in the way of a service, in a sentence. */
export type Trouble = { readonly reason: FaultReason; readonly message: string; readonly at: Date }

/** How a run ended. */
export type Exit = {
  /** `unknown`: it runs again already, and nobody saw the end. */
  readonly code: number | 'unknown'
  readonly at: number
  /** We asked for it. */
  readonly asked: boolean
  /** Somebody else asked the daemon for it. */
  readonly byOthers: boolean
  /** Because it reached its limit of memory. */
  readonly oom: boolean
}

export type ServiceFacts = {
  readonly record: ServiceRecord
  readonly container: ContainerSeen | undefined
  /** The run began before the network that it is in: it is cut off, and is to be run anew. */
  readonly stale: boolean
  /** Only where there is a check, of the run that is going on. */
  readonly health: HealthSeen | undefined
  readonly trouble: Trouble | undefined
  /** The image is on its way, in words. */
  readonly pulling: string | undefined
  readonly lastExit: Exit | undefined
  /** The last line it wrote before its last end. */
  readonly lastLine: string | undefined
  /** When it had ended so often in a row that it was no accident any more. */
  readonly crashingSince: number | undefined
  /** When one of its processes, and not the main one, was last killed for want of memory in this run. */
  readonly childOomAt: number | undefined
  /** What its container was made in spite of. */
  readonly warnings: readonly string[]
  readonly restarts: number
  /** It was started again as often as it may be within an hour. */
  readonly exhausted: boolean
  /** `undefined`: nobody has said since we came. */
  readonly restart: RestartSpec | undefined
}

export type ReplicaFacts = {
  readonly record: ReplicaRecord
  readonly terminating: boolean
  /** Of the replica as a whole: where it can be dialled. */
  readonly address: string | undefined
  /** The holder of a group; `undefined` where there is none. */
  readonly holder: ContainerSeen | undefined
  readonly services: readonly ServiceFacts[]
}

export const isPresent = ({ container, stale }: ServiceFacts): boolean => runs(container) && !stale

export function isServiceReady(facts: ServiceFacts): boolean | undefined {
  const { record, container, health } = facts
  if (record.role === 'init') return container?.status === 'exited' && container.exitCode === 0
  if (!isPresent(facts) || container?.status === 'paused') return false
  return record.healthCheck ? (health ? health.ready : undefined) : true
}

/** `undefined`: nobody knows of all of it. */
export function isReplicaReady({ record, terminating, holder, services }: ReplicaFacts): boolean | undefined {
  if (terminating || (record.group && !runs(holder))) return false
  const long = services.filter((each) => each.record.role !== 'init').map(isServiceReady)
  if (long.includes(false)) return false
  return long.includes(undefined) ? undefined : true
}

/** How far a service has come, for the order of starting. */
export function progressOf(facts: ServiceFacts, others: readonly ServiceFacts[]): Progress {
  const { container, stale, record } = facts
  if (!container || container.startedAt === undefined) return 'waiting'
  if (record.role === 'init' && hasCompleted(facts)) {
    // Where others run already, they have been started after it: that the daemon forgot nothing is enough.
    const begun = others.some((each) => each.record.role !== 'init' && isPresent(each))
    return stale && !begun ? 'waiting' : 'completed'
  }
  if (stale) return 'waiting'
  if (runs(container)) return record.role !== 'init' && isServiceReady(facts) ? 'healthy' : 'started'
  return hasCompleted(facts) ? 'completed' : 'failed'
}

const hasCompleted = ({ container }: ServiceFacts): boolean =>
  container?.status === 'exited' && container.exitCode === 0

/** Has ended, and nobody starts it again. */
export function hasEnded(facts: ServiceFacts): boolean {
  const { container, record, restart, exhausted, lastExit, stale } = facts
  if (container?.status !== 'exited' || container.startedAt === undefined || stale) return false
  if (record.role === 'init' || exhausted) return true
  if (restart === undefined) return false
  return !lastExit?.byOthers && !isToRestart(restart, record.role, container.exitCode)
}

/** What was warned of may be why. */
export const withWarnings = (words: string, { warnings }: Pick<ServiceFacts, 'warnings'>): string =>
  warnings.length === 0 ? words : `${words} (${warnings.join('; ')})`

/** How a run ended, in words: `exited with code 3: cannot open database`. */
export function exitWords(facts: ServiceFacts): string | undefined {
  const words = plainExitWords(facts)
  return words === undefined || facts.lastExit?.byOthers ? words : withWarnings(words, facts)
}

function plainExitWords({ lastExit, lastLine, container }: ServiceFacts): string | undefined {
  if (!lastExit) return undefined
  const said = lastLine === undefined || lastLine === '' ? '' : `: ${lastLine}`
  if (lastExit.byOthers) return `was stopped by somebody else (exit code ${lastExit.code})`
  if (lastExit.code === 'unknown') return `ended while nobody looked, with an exit code that is not known${said}`
  const memory = container?.limits.Memory ?? 0
  const limit = memory > 0 ? `its limit of ${Math.round(memory / 2 ** 20)} Mi of memory` : 'the end of the memory'
  if (lastExit.oom) return `was killed when it reached ${limit} (exit code ${lastExit.code})${said}`
  return `exited with code ${lastExit.code}${said}`
}
