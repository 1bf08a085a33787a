/** Pure: why a replica will not get further without a change, in a sentence; and what may come of another in its place. */
import type { Replica, Stall } from '../observed.ts'
import { runningVerdict, type Verdict } from '../tended/service-verdicts.ts'
import { exitWords, type ReplicaFacts, type ServiceFacts } from './facts.ts'

export function stallOf({ record, services }: ReplicaFacts, now: number): Stall | undefined {
  for (const facts of services) {
    const verdict = serviceVerdict(facts, now)
    if (verdict) return { ...verdict, service: facts.record.name, replica: record.index }
  }
  return undefined
}

export function failedOf({ services }: ReplicaFacts): Replica['failed'] {
  const failed = services.filter(({ process }) => process?.phase === 'failed')
  if (failed.some(({ record }) => record.role === 'init')) return 'again'
  if (services.some(({ trouble }) => trouble?.ofReplica)) return 'again'
  return failed.length > 0 ? 'final' : undefined
}

function serviceVerdict(facts: ServiceFacts, now: number): Verdict | undefined {
  const { record, process, trouble } = facts
  const { name } = record
  const words = exitWords(facts)
  if (process?.phase === 'failed' && record.role === 'init') {
    const at = process.lastExit?.at ?? new Date(now)
    return { reason: 'init_failed', message: `init service ${name} ${words ?? 'could not be run'}`, at }
  }
  if (trouble) return { reason: 'rollout_stalled', message: `${name}: ${trouble.message}`, at: trouble.at }
  if (process?.phase === 'failed') return failed(facts, words, now)
  if (process?.problem) {
    return { reason: 'rollout_stalled', message: `${name}: ${process.problem.message}`, at: process.problem.since }
  }
  return runningVerdict(facts, words)
}

function failed({ record, process }: ServiceFacts, words: string | undefined, now: number): Verdict {
  const at = process?.problem?.since ?? process?.lastExit?.at ?? new Date(now)
  const why =
    process?.problem?.reason === 'too_many_restarts'
      ? 'was restarted too often within an hour'
      : 'is not to be restarted'
  return { reason: 'rollout_stalled', message: `${record.name} ${words ?? 'ended'}, and ${why}`, at }
}
