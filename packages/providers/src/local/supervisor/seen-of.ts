/** Pure: what others are told of a process, from what the journal says. */
import type { ProcessPhase, ProcessSeen } from './process-seen.ts'
import type { ProcessState } from './process-state.ts'

export function phaseOf(state: ProcessState): ProcessPhase {
  if (state.ending) return 'stopping'
  if (state.main) return 'running'
  // Its main process has ended, or is about to be started: only the former has something to be rid of.
  if (state.group && state.verdict) return 'stopping'
  if (state.wanted === 'stopped') return 'stopped'
  if (state.verdict?.outcome === 'ended') return 'ended'
  if (state.verdict?.outcome === 'failed') return 'failed'
  return 'waiting'
}

export function seenOf(state: ProcessState): ProcessSeen {
  const { spec, exit, problem, verdict } = state
  // What could not be started has not started: the last run is the one before.
  const startedAt = problem && !state.main ? exit?.startedAt : state.startedAt
  const phase = phaseOf(state)
  return {
    id: spec.id,
    labels: spec.labels,
    role: spec.role,
    phase,
    run: state.run,
    restarts: state.restarts,
    ...(state.main && { pid: state.main.pid }),
    ...(startedAt !== undefined && { startedAt: new Date(startedAt) }),
    ...(exit && { lastExit: { ...exit, startedAt: new Date(exit.startedAt), at: new Date(exit.at) } }),
    ...(phase === 'waiting' && verdict?.outcome === 'again' && { nextStartAt: new Date(verdict.at) }),
    ...(problem && { problem: { ...problem, since: new Date(problem.since) } }),
    notEnforced: state.notEnforced,
  }
}
