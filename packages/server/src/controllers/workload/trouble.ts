/** Pure: which replica fails which service with what, in one sentence. */
import type { ObjectOf, ReplicaStatus } from '@gantry/core'

/** `undefined`: nothing is known to be wrong. Something that merely is not ready yet is not wrong. */
export function troubleOf({ status }: Pick<ObjectOf<'Instance'>, 'status'>): string | undefined {
  if (status.stalled) return stallWords(status.stalled)
  for (const replica of status.replicas ?? []) {
    const trouble = replica.terminating ? undefined : replicaTrouble(replica)
    if (trouble !== undefined) return trouble
  }
  return undefined
}

/** With the replica that it is about, where it is about one. */
export function stallWords({ replica, message }: { readonly replica?: number | undefined; readonly message: string }) {
  return replica === undefined ? message : `replica ${replica}: ${message}`
}

/** How a process ended. The words of an engine that name the code themselves are enough. */
export function endWords(exitCode: number | 'unknown' | undefined, message: string | undefined): string {
  if (exitCode === undefined) return message === undefined ? 'ended' : `ended: ${message}`
  if (message?.includes(String(exitCode))) return message
  return `ended with exit code ${exitCode}${message === undefined ? '' : `: ${message}`}`
}

function replicaTrouble({ index, services }: ReplicaStatus): string | undefined {
  for (const [name, { phase, ready, restarts, exitCode, message }] of Object.entries(services)) {
    const which = `replica ${index}: ${name}`
    if (phase === 'crashed') {
      const again = restarts === 0 ? '' : `, after ${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`
      return `${which} ${endWords(exitCode, message)}${again}`
    }
    // How far a pull is, is told in the same place as what a health check says.
    if (ready === false && message !== undefined && phase !== 'pulling') return `${which}: ${message}`
  }
  return undefined
}
