/** Pure: which replica fails which service with what, in one sentence. */
import type { ObjectOf, ReplicaStatus } from '@gantry/core'

/** `undefined`: nothing is known to be wrong. Something that merely is not ready yet is not wrong. */
export function troubleOf({ status }: ObjectOf<'Instance'>): string | undefined {
  if (status.stalled) return status.stalled.message
  for (const replica of status.replicas ?? []) {
    const trouble = replica.terminating ? undefined : replicaTrouble(replica)
    if (trouble !== undefined) return trouble
  }
  return undefined
}

function replicaTrouble({ index, services }: ReplicaStatus): string | undefined {
  for (const [name, { phase, ready, restarts, exitCode, message }] of Object.entries(services)) {
    const which = `replica ${index}: ${name}`
    if (phase === 'crashed') {
      const code = exitCode === undefined ? '' : ` with exit code ${exitCode}`
      const again = restarts === 0 ? '' : ` after ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`
      return `${which} ended${code}${again}${message === undefined ? '' : `: ${message}`}`
    }
    if (ready === false && message !== undefined) return `${which}: ${message}`
  }
  return undefined
}
