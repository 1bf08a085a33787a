/** Whether a process that the journal names is still the one it meant. Whoever fails here is neither adopted nor killed. */
import { bearersOf, markerName, markingOf } from '../../proc/marker.ts'
import { isAlive, type ProcessIdentity, rawStat } from '../../proc/processes.ts'
import type { Group } from './process-state.ts'
import type { Tracking } from './tracking/tracking.ts'

/** By pid, start time and mark; in place of the mark only its control group, which nobody else could be in. */
export function isTheSame(main: ProcessIdentity, group: Group, tracking: Tracking): boolean {
  if (!isAlive(main)) return false
  const marking = markingOf(main.pid, group.marker)
  if (marking === 'same') return true
  if (marking === 'other') return false
  if (tracking.kind !== 'marker') return tracking.members(group, []).some(({ pid }) => pid === main.pid)
  // A program that wrote over its environment is still the leader of the session that we gave it.
  return marking === 'overwritten' && rawStat(main.pid)?.session === main.pid
}

/**
 * The main process of a run of which only the intent was written: the leader of a session that bears the mark, and of those
 * the first that was started.
 */
export function findMain(group: Group): ProcessIdentity | undefined {
  const leaders = bearersOf(markerName, group.marker).filter(({ pid, session }) => pid === session)
  const ticks = ({ started }: ProcessIdentity): number => Number(started.split(' ')[1])
  const [first] = leaders.sort((a, b) => ticks(a) - ticks(b))
  return first && { pid: first.pid, started: first.started }
}
