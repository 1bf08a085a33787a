/** Pure: what an application still waits for. */
import { done, type Result, waiting } from '../../results/result.ts'
import type { ObservedApplication } from './application-driver.ts'

/** Synced comes first: what is not synced can look healthy, because it is the old one that is. */
export function healthGate(name: string, seen: ObservedApplication, { allowDegraded = false } = {}): Result {
  if (!seen.synced) return waiting('', `${name} to be synced`)
  if (seen.health === 'healthy') return done()
  if (seen.health === 'degraded' && allowDegraded) return done()
  const health = seen.health ?? 'not known yet'
  return waiting('', `${name} to be healthy`, { progress: health })
}
