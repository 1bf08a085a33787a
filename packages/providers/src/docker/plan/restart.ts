/** Pure: when the daemon starts a service again by itself, also while we are away. */
import type { RestartSpec, ServiceRole } from '@gantry/core'
import type { RestartPolicy } from '../api/types/containers.ts'

/**
 * `used`: restarts of the last hour. The daemon knows of no such limit, and starts anew within a moment; so the last that is
 * allowed is left to us, and there is never one too many.
 */
export function restartPolicy({ policy, maxPerHour }: RestartSpec, role: ServiceRole, used: number): RestartPolicy {
  if (role === 'init' || policy === 'never' || maxPerHour - used < 2) return { Name: 'no' }
  // Not `always`: what somebody stopped would come back by itself when the daemon is started again.
  return { Name: policy === 'always' ? 'unless-stopped' : 'on-failure' }
}

/** Whether a service that ended so is to run again. */
export function isToRestart({ policy }: RestartSpec, role: ServiceRole, exitCode: number | 'unknown'): boolean {
  if (role === 'init' || policy === 'never') return false
  return policy === 'always' || exitCode !== 0
}
