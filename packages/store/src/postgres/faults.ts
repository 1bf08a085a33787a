/** What PostgreSQL's errors mean to a caller. Recognised by SQLSTATE; an error without one is the connection's. */
import { Fault, isFault } from '@gantry/core'

/** The SQLSTATE of an error that the server has reported. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('severity' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Shutdown, crash, starting up, too many connections, connection trouble: the server is away, or soon will be. */
const away = /^(57P0[1-5]|53300|08...|25P03)$/
/** Another transaction was in the way; nothing was done. */
const collided = /^(40001|40P01|55P03)$/

/** Whether the connection is of no more use, and the work may be tried again on another. */
export function isLost(error: unknown): boolean {
  if (isFault(error)) return false
  const state = sqlState(error)
  return state === undefined ? isConnectionError(error) : away.test(state)
}

/** The driver and the network throw plain errors; a TypeError is a mistake of ours, and trying again would not help. */
function isConnectionError(error: unknown): boolean {
  return error instanceof AggregateError || (error instanceof Error && error.constructor === Error)
}

export function isCollision(error: unknown): boolean {
  return collided.test(sqlState(error) ?? '')
}

export function postgresFault(error: unknown, where: string): unknown {
  if (isFault(error)) return error
  const more = { cause: error, ...(error instanceof Error ? { detail: error.message } : {}) }
  if (isLost(error)) return unavailable(where, 'It does not answer; nothing was written', more)
  const state = sqlState(error) ?? ''
  if (state === '53100' || state === '53200') {
    return new Fault('store_full', `The database ${where} has no space left. Nothing was written; free some`, more)
  }
  if (/^(28|3D|42501)/.test(state))
    return unavailable(where, 'It does not let us in; check user, password and rights', more)
  if (/^XX00[12]$/.test(state)) {
    return new Fault('store_corrupt', `The database ${where} is damaged; restore a backup`, more)
  }
  return error
}

export function unavailable(where: string, why: string, more: { cause?: unknown; detail?: string } = {}): Fault {
  return new Fault('store_unavailable', `The database ${where} is not available. ${why}`, more)
}
