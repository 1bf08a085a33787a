/** What the journal says of a process, and the pure fold that makes it from records. Times are milliseconds since 1970. */
import type { ProcessIdentity } from '../../proc/processes.ts'
import type { ProcessProblem } from './process-seen.ts'
import type { LimitName, ProcessSpec } from './process-spec.ts'
import { noHistory, type RestartHistory, type RestartVerdict } from './restart-verdict.ts'

/** Without the values of secrets: their names only. */
export type PublicSpec = Omit<ProcessSpec, 'secretEnv'> & { readonly secretNames: readonly string[] }

export type TrackingKind = 'cgroup2' | 'cgroup1' | 'marker'

/** How the tree of one run is found again. */
export type Group = {
  readonly marker: string
  readonly kind: TrackingKind
  /** Of the control group, where there is one. */
  readonly folder?: string
  /** The pipes that the process was given for its output, by number. */
  readonly pipes?: Readonly<Record<'stdout' | 'stderr', number>>
  /** Of further control groups that hold limits. */
  readonly limitFolders: readonly string[]
}

export type StateExit = {
  readonly code: number | 'unknown'
  readonly signal?: NodeJS.Signals
  readonly startedAt: number
  readonly at: number
  readonly asked: boolean
}

export type StateProblem = Omit<ProcessProblem, 'since'> & { readonly since: number }

export type ProcessState = {
  readonly spec: PublicSpec
  readonly wanted: 'running' | 'stopped'
  readonly run: number
  readonly restarts: number
  readonly history: RestartHistory
  /** From the intent to start until nothing of the tree was left. */
  readonly group?: Group
  /** From the start until its end was seen. */
  readonly main?: ProcessIdentity
  /** Asked to end, and something of it may still live: then it must end, whatever is wanted meanwhile. */
  readonly ending: boolean
  readonly startedAt?: number
  readonly exit?: StateExit
  readonly verdict?: RestartVerdict
  readonly problem?: StateProblem
  readonly notEnforced: readonly LimitName[]
}

export type JournalRecord =
  | { readonly type: 'known'; readonly spec: PublicSpec }
  | { readonly type: 'whole'; readonly state: ProcessState }
  | { readonly type: 'wanted'; readonly id: string; readonly wanted: 'running' | 'stopped' }
  | {
      readonly type: 'intent'
      readonly id: string
      readonly run: number
      readonly again: boolean
      readonly group: Group
      readonly at: number
    }
  | {
      readonly type: 'started'
      readonly id: string
      readonly main: ProcessIdentity
      readonly at: number
    }
  | { readonly type: 'limited'; readonly id: string; readonly group: Group; readonly notEnforced: readonly LimitName[] }
  | { readonly type: 'problem'; readonly id: string; readonly problem: StateProblem; readonly verdict?: RestartVerdict }
  | { readonly type: 'exit'; readonly id: string; readonly exit: StateExit; readonly verdict?: RestartVerdict }
  | { readonly type: 'gone'; readonly id: string }
  | { readonly type: 'removed'; readonly id: string }

export type States = Map<string, ProcessState>

export function fold(states: States, record: JournalRecord): void {
  if (record.type === 'known') {
    states.set(record.spec.id, freshState(record.spec))
    return
  }
  if (record.type === 'whole') {
    states.set(record.state.spec.id, record.state)
    return
  }
  if (record.type === 'removed') {
    states.delete(record.id)
    return
  }
  const before = states.get(record.id)
  if (before) states.set(record.id, withRecord(before, record))
}

export function freshState(spec: PublicSpec): ProcessState {
  return { spec, wanted: 'running', run: 0, restarts: 0, history: noHistory, ending: false, notEnforced: [] }
}

export function withRecord(
  state: ProcessState,
  record: Exclude<JournalRecord, { readonly type: 'known' | 'whole' | 'removed' }>,
): ProcessState {
  switch (record.type) {
    case 'wanted': {
      // Whoever asks for a start begins anew: what went wrong before does not count against it.
      const { verdict: _verdict, problem: _problem, ...rest } = state
      if (record.wanted === 'running') return { ...rest, wanted: 'running', history: noHistory }
      return { ...rest, wanted: 'stopped', ending: state.group !== undefined }
    }
    case 'intent': {
      const { verdict: _verdict, ...rest } = state
      const restarts = state.restarts + (record.again ? 1 : 0)
      return { ...rest, run: record.run, restarts, group: record.group, startedAt: record.at, notEnforced: [] }
    }
    case 'started': {
      const { problem: _problem, ...rest } = state
      return { ...rest, main: record.main, startedAt: record.at }
    }
    case 'limited':
      return { ...state, group: record.group, notEnforced: record.notEnforced }
    case 'problem':
      return { ...state, problem: record.problem, ...judged(state, record.verdict) }
    case 'exit': {
      const { main: _main, ...rest } = state
      return { ...rest, exit: record.exit, ...judged(state, record.verdict) }
    }
    case 'gone': {
      const { group: _group, main: _main, ...rest } = state
      return { ...rest, ending: false }
    }
  }
}

function judged(state: ProcessState, verdict: RestartVerdict | undefined): Partial<ProcessState> {
  if (!verdict) return {}
  return { verdict, history: verdict.outcome === 'again' ? verdict.history : state.history }
}
