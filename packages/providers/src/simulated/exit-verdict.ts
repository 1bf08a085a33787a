/** Pure: what follows from the end of a process. */
import type { RestartSpec, ServiceRole } from '@gantry/core'

const hourMs = 3_600_000
const firstBackoffMs = 100
const longestBackoffMs = 10_000

export type Exit = {
  readonly name: string
  readonly role: ServiceRole
  readonly code: number
  /** Times of earlier restarts. */
  readonly crashes: readonly number[]
  readonly now: number
}

export type ExitVerdict =
  | { readonly outcome: 'completed' }
  | { readonly outcome: 'failed'; readonly reason: 'init_failed' | 'rollout_stalled'; readonly message: string }
  | { readonly outcome: 'again'; readonly afterMs: number; readonly crashes: readonly number[] }

export function exitVerdict(
  { name, role, code, crashes, now }: Exit,
  { policy, maxPerHour }: RestartSpec,
): ExitVerdict {
  if (role === 'init') {
    if (code === 0) return { outcome: 'completed' }
    return { outcome: 'failed', reason: 'init_failed', message: `init service ${name} exited with code ${code}` }
  }
  const again = policy === 'always' || (policy === 'on_failure' && code !== 0)
  if (!again && code === 0) return { outcome: 'completed' }
  const stalled = (why: string): ExitVerdict => ({
    outcome: 'failed',
    reason: 'rollout_stalled',
    message: `${name} exited with code ${code}, and ${why}`,
  })
  if (!again) return stalled('is not to be restarted')
  const recent = [...crashes.filter((at) => at > now - hourMs), now]
  if (recent.length > maxPerHour) return stalled(`was restarted ${maxPerHour} times within an hour already`)
  const afterMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (recent.length - 1))
  return { outcome: 'again', afterMs, crashes: recent }
}
