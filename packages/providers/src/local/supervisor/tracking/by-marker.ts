/** Where there are no control groups for us: by the mark in the environment, and by parents and sessions from there. */
import { bearersOf, markerName } from '../../../proc/marker.ts'
import { type ProcessIdentity, sendSignal } from '../../../proc/processes.ts'
import type { Group } from '../process-state.ts'
import type { Tracking } from './tracking.ts'

export const byMarker: Tracking = {
  kind: 'marker',
  open: (_name, marker) => ({ marker, kind: 'marker', limitFolders: [] }),
  prepare: () => undefined,
  settled: async () => undefined,
  enter: (_group, start) => start(),
  members,
  kill(group, known) {
    // Held still first, until nobody new appears: else a tree that forks all the time is always one ahead of us.
    const held = new Map<number, ProcessIdentity>()
    for (let round = 0; round < 20; round += 1) {
      const fresh = members(group, [...known, ...held.values()]).filter(({ pid }) => !held.has(pid))
      if (fresh.length === 0) break
      for (const each of fresh) {
        held.set(each.pid, each)
        sendSignal(each, 'SIGSTOP')
      }
    }
    for (const each of held.values()) sendSignal(each, 'SIGKILL')
  },
  close: () => true,
}

function members(group: Group, known: readonly ProcessIdentity[]): readonly ProcessIdentity[] {
  return bearersOf(markerName, group.marker, known)
}
