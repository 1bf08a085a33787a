/** Pure: why a replica will not get further without a change, in a sentence; and what may come of another in its place. */
import type { Replica, Stall } from '../../observed.ts'
import { runningVerdict, type Verdict } from '../../tended/service-verdicts.ts'
import { exitWords, hasEnded, type ReplicaFacts, type ServiceFacts, withWarnings } from './facts.ts'

export function stallOf({ record, services }: ReplicaFacts): Stall | undefined {
  for (const facts of services) {
    const verdict = serviceVerdict(facts)
    if (verdict) return { ...verdict, service: facts.record.name, replica: record.index }
  }
  return undefined
}

export function failedOf({ services }: ReplicaFacts): Replica['failed'] {
  const failed = services.filter((facts) => hasEnded(facts) && facts.container?.exitCode !== 0)
  if (failed.some(({ record }) => record.role === 'init')) return 'again'
  return failed.length > 0 || services.some((facts) => hasEnded(facts) && facts.exhausted) ? 'final' : undefined
}

function serviceVerdict(facts: ServiceFacts): Verdict | undefined {
  const { record, container, trouble } = facts
  const words = exitWords(facts)
  const at = new Date(container?.finishedAt ?? 0)
  const failed = hasEnded(facts) && (container?.exitCode !== 0 || facts.exhausted)
  if (failed && record.role === 'init') {
    return { reason: 'init_failed', message: `init service ${record.name} ${words ?? 'failed'}`, at }
  }
  if (trouble) return { ...trouble, message: `${record.name}: ${withWarnings(trouble.message, facts)}` }
  if (failed) {
    const why = facts.exhausted ? 'was restarted too often within an hour' : 'is not to be restarted'
    return { reason: 'rollout_stalled', message: `${record.name} ${words ?? 'ended'}, and ${why}`, at }
  }
  return runningVerdict(facts, words)
}
