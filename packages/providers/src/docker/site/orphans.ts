/**
 * What runs of a container that the daemon takes for one that does not run: it died in the middle of its start. Nobody sees
 * it any more, and it goes on writing to its volumes also when the container is removed. It is ended where the daemon's
 * processes are seen: they are found by the container's id, which is in the name of their control group and nobody else's.
 */
import { membersOf } from '../../proc/groups.ts'
import { codeOf, type ProcessIdentity, sendSignal, untilGone } from '../../proc/processes.ts'

const patienceMs = 2_000
/** What ends may have started something just before. */
const mostRounds = 20

/** Of a container that is not about to be started. */
export async function endOrphans(container: string): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    const ending = seenHere(container).filter(isSignalled)
    if (ending.length === 0) return
    await Promise.all(ending.map((each) => untilGone(each, patienceMs)))
  }
}

/** Anything of a container, whatever the daemon says of it; false where its processes are not seen. */
export const stillRuns = (container: string): boolean => seenHere(container).length > 0

function isSignalled(process: ProcessIdentity): boolean {
  try {
    return sendSignal(process, 'SIGKILL')
  } catch (error) {
    // Seen, but not ours to signal.
    if (codeOf(error) === 'EPERM') return false
    throw error
  }
}

function seenHere(container: string): ProcessIdentity[] {
  try {
    return membersOf(container)
  } catch (error) {
    // A machine without /proc.
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
