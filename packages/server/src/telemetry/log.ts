/** The log of the server: one line of JSON for each thing said. */
import { type Clock, systemClock } from '@gantry/core'
import { type DestinationStream, type LevelWithSilent, pino } from 'pino'
import type { Fields, Log } from '../app/log.ts'
import { describeError } from './describe-error.ts'

export type LogOptions = {
  readonly level?: LevelWithSilent
  /** Takes each line; left out: standard error, for standard output is for results. */
  readonly write?: (line: string) => void
  readonly clock?: Clock
}

/** Secrets print as such, errors with all that a log may know, and everything else as JSON. */
export function createLog({ level = 'info', write, clock = systemClock }: LogOptions = {}): Log {
  const destination: DestinationStream = write ? { write } : pino.destination({ dest: 2, sync: true })
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
  return {
    info: (message, fields) => logger.info(printable(fields), message),
    warn: (message, fields) => logger.warn(printable(fields), message),
    error: (message, fields) => logger.error(printable(fields), message),
  }
}

/** The same log, with these fields on every line: the id of a request, the key of a reconcile. */
export function logWith(log: Log, always: Fields): Log {
  return {
    info: (message, fields) => log.info(message, { ...always, ...fields }),
    warn: (message, fields) => log.warn(message, { ...always, ...fields }),
    error: (message, fields) => log.error(message, { ...always, ...fields }),
  }
}

/** A field of ours cannot pass for one of the line itself. */
const ownFields = new Set(['level', 'time', 'message'])

function printable(fields: Fields = {}): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      ownFields.has(name) ? `${name}_` : name,
      value instanceof Error ? describeError(value) : value,
    ]),
  )
}
