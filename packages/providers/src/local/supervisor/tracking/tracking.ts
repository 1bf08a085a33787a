/** Holding a tree of processes together, so that all of it is found, measured and killed. */
import type { ProcessIdentity } from '../../../proc/processes.ts'
import type { Group, TrackingKind } from '../process-state.ts'

export interface Tracking {
  readonly kind: TrackingKind

  /** Makes what a run needs to be found by; `marker` is its mark, and is in the environment of all that is started in it. */
  open(name: string, marker: string): Group

  /** Something is about to be entered: what takes its time for that is begun, beside everything else. */
  prepare(): void

  /** Resolves when nothing that was begun by `prepare` is under way any more. */
  settled(): Promise<void>

  /**
   * Runs `start`, which starts a process at once, so that the process is in the group from its first instruction. Only in
   * the turn in which `settled` was found.
   */
  enter<T>(group: Group, start: () => T): T

  /** All that lives of it. `known` are those already found, for ways of looking that begin from them. */
  members(group: Group, known: readonly ProcessIdentity[]): readonly ProcessIdentity[]

  /** Kills all that is there now. Whether nothing is left is for `members` to say. */
  kill(group: Group, known: readonly ProcessIdentity[]): void

  /** Takes away what `open` made. Something may still live in it: then it stays, and false is the answer. */
  close(group: Group): boolean
}
