/** Logs, in one shape on every engine. Nothing is lost in silence: a gap stands where an engine discarded. */

export type LogStream = 'stdout' | 'stderr'

/** Where to begin reading, and whether to stay. */
export type LogFrom = {
  /** Everything after the line that carried this cursor, neither lost nor repeated. Wins over `since` and `tail`. */
  readonly cursor?: string
  readonly since?: Date
  /** The last so many lines of what is there. */
  readonly tail?: number
  /** Stay for what comes, until the service's replica is gone. */
  readonly follow: boolean
}

/** What an engine reads from one service of one replica. */
export type EngineLog =
  | {
      readonly type: 'line'
      readonly at: Date
      readonly stream: LogStream
      readonly line: string
      readonly cursor: string
    }
  | { readonly type: 'gap'; readonly at: Date; readonly message: string; readonly cursor: string }

/** What a provider tells of a whole instance. */
export type LogLine = {
  readonly ts: Date
  readonly service: string
  readonly replica: number
  readonly stream: LogStream
  readonly line: string
}

/** Here lines are missing; `gap` says why. */
export type LogGap = { readonly ts: Date; readonly service: string; readonly replica: number; readonly gap: string }

export type LogOptions = {
  /** Left out: all of them. */
  readonly service?: string
  /** By index; left out: all of them. */
  readonly replica?: number
  readonly follow?: boolean
  readonly since?: Date
  /** The last so many lines of each service of each replica. */
  readonly tail?: number
}
