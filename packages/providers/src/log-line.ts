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

/**
 * What an engine reads from one service of one replica. Lines come as many at a time as the engine has them, because a
 * promise, a time and a cursor for each costs more than all that is done with it (docs/decisions/027).
 */
export type EngineLog = EngineLines | EngineGap

/** Lines of one stream that were read together, one or more: kept together or not at all, since only their end has a cursor. */
export type EngineLines = {
  readonly type: 'lines'
  /** When the first of them began. */
  readonly at: Date
  readonly stream: LogStream
  /** Each with its line end, also the last. About `lineBatch` characters at most, but for one line that is longer. */
  readonly text: string
  /** Behind the last of them. */
  readonly cursor: string
}

export type EngineGap = {
  readonly type: 'gap'
  readonly at: Date
  readonly message: string
  /** Behind the gap. */
  readonly cursor: string
}

/** Whoever reads holds one of these for each service, so it is not larger than pays. */
export const lineBatch = 64 * 1024

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
