/** Processes by their control group, whose path is given to them from outside and cannot be left by themselves. */
import { allPids, type ProcessIdentity, readProc, statOf } from './processes.ts'

/** Living ones whose group has this name somewhere in its path: none where the machine has no such groups. */
export function membersOf(name: string): ProcessIdentity[] {
  return allPids().flatMap((pid) => {
    const before = statOf(pid)
    if (!before || !readProc(`/proc/${pid}/cgroup`)?.includes(name)) return []
    // Looked at again: the pid may have gone to somebody else in between.
    return statOf(pid)?.started === before.started ? [before] : []
  })
}
