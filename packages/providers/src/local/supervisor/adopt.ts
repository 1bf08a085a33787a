/** Taking over from a supervisor that died: what it started is looked for, and what cannot be known is said to be unknown. */
import type { LogStream } from '../../log-line.ts'
import { execMarkerName, markerName, outputMarkerName } from '../../proc/marker.ts'
import { allPids, environOf, type ProcessIdentity, sendSignal, statOf } from '../../proc/processes.ts'
import type { Journal } from './journal.ts'
import type { Keeper } from './keeper.ts'
import { pumpMarker } from './output/pump.ts'
import type { ProcessState, TrackingKind } from './process-state.ts'
import type { Tracking } from './tracking/tracking.ts'
import { findMain, isTheSame } from './trust.ts'

/** All marks of all processes that we may look at, read once. */
export type Marks = {
  readonly pumps: ReadonlyMap<string, ProcessIdentity>
  /** Commands run in the process with this mark: whoever asked for them is gone. */
  readonly execs: ReadonlyMap<string, readonly ProcessIdentity[]>
}

export function readMarks(): Marks {
  const pumps = new Map<string, ProcessIdentity>()
  const execs = new Map<string, ProcessIdentity[]>()
  for (const pid of allPids()) {
    const entries = environOf(pid)?.toString('latin1').split('\0') ?? []
    const marked = (name: string): string | undefined =>
      entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1)
    const pump = marked(outputMarkerName)
    const exec = marked(execMarkerName) === undefined ? undefined : marked(markerName)
    const stat = pump === undefined && exec === undefined ? undefined : statOf(pid)
    if (!stat) continue
    const identity = { pid, started: stat.started }
    if (pump !== undefined) pumps.set(pump, identity)
    if (exec !== undefined) execs.set(exec, [...(execs.get(exec) ?? []), identity])
  }
  return { pumps, execs }
}

export function adopt(
  keeper: Keeper,
  journal: Journal,
  trackingOf: (kind: TrackingKind) => Tracking,
  marks: Marks,
): void {
  const { group, run, spec } = keeper.state
  if (!group) return
  const pumpOf = (stream: LogStream): ProcessIdentity | undefined => marks.pumps.get(pumpMarker(group.marker, stream))
  const [stdout, stderr] = [pumpOf('stdout'), pumpOf('stderr')]
  keeper.output.adopt(run, { ...(stdout && { stdout }), ...(stderr && { stderr }) })
  for (const exec of marks.execs.get(group.marker) ?? []) sendSignal(exec, 'SIGKILL')
  if (!keeper.state.main && isIntentOnly(keeper.state)) {
    const found = findMain(group)
    if (!found) {
      keeper.ended('unknown', undefined)
      return
    }
    journal.write({ type: 'started', id: spec.id, main: found, at: keeper.state.startedAt ?? 0 })
  }
  const { main } = keeper.state
  if (!main) return
  if (isTheSame(main, group, trackingOf(group.kind))) {
    if (group.pipes) keeper.output.written({ main, marker: group.marker, pipes: group.pipes })
    keeper.watchAdopted(main)
  } else keeper.ended('unknown', undefined)
}

/** The intent to start it was written, but neither that it was, nor that it could not be, nor its end. */
function isIntentOnly({ verdict, exit, startedAt }: ProcessState): boolean {
  return verdict === undefined && (exit === undefined || exit.startedAt !== startedAt)
}
