/** Where lines are kept, also after what wrote them is gone. */
import type { Call, Clock } from '@gantry/core'
import type { Position } from './segments/files.ts'
import type { LogSource, SourceName } from './source.ts'

export type WorkloadLogs = { readonly tenant: string; readonly uid: string }

/** A source that something is kept of. */
export type KeptSource = {
  readonly name: SourceName
  readonly folder: string
  /** Time of its first line that is still here. */
  readonly first: number
  /** Behind its last line that is whole, now. */
  readonly until: Position
  /** Somebody appends to it: its replica is there. */
  readonly isOpen: boolean
}

export type Appended = {
  readonly name: SourceName
  readonly folder: string
  readonly until: Position
  /** The engine's, behind the last line that is kept now. */
  readonly cursor: string
}

export interface LogAppender {
  /** Where the engine is to go on from, neither losing nor repeating a line; `undefined`: from its beginning. */
  readonly cursor: string | undefined
  /** Blocks, and the engine's cursor behind the last of them. Each is kept whole or not. `logs_unwritable` if that failed. */
  append(blocks: readonly Buffer[], cursor: string, firstAt: number): Promise<void>
  /** Resolves when everything appended survives the loss of power. */
  sync(): Promise<void>
  /** Nothing more comes. */
  close(): Promise<void>
}

export interface LogStore {
  readonly clock: Clock
  /** Opens a source for appending. One that is open already is `unexpected`: two cursors would repeat lines. */
  open(source: LogSource): Promise<LogAppender>
  /** Everything that is kept of a workload; nothing kept is an empty list. */
  sources(of: WorkloadLogs, call: Call): Promise<KeptSource[]>
  /** Calls back after lines were appended to any source of that workload. Returns what ends it. */
  subscribe(uid: string, listener: (appended: Appended) => void): () => void
  /** Removes what is older or more than may be kept. */
  sweep(call: Call): Promise<void>
}
