/** Ends what a server leaves running on purpose: its workloads, its edge, and the supervisor of both. */
import { isFault } from '@gantry/core'
import { connectSupervisor } from '@gantry/providers/local'

const withinMs = 60_000

export async function shutDown(data: string): Promise<void> {
  try {
    const call = { signal: AbortSignal.timeout(withinMs) }
    await connectSupervisor(data, { start: false }).shutdown({ processes: 'stop' }, call)
  } catch (error) {
    // There is none: nothing was started.
    if (!isFault(error, 'unavailable')) throw error
  }
}
