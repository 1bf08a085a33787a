/** What of a fault is said on the service that it is about. Pure. */
import { isFault } from '@gantry/core'
import type { Trouble } from './facts.ts'

/** The daemon is out of reach or slow: nothing that has to be said of a service. */
export const isPassing = (error: unknown): boolean =>
  isFault(error, 'deadline') || (isFault(error, 'unavailable') && !ofItself.has(error.reason))

/** The daemon answers, and cannot do it. */
const ofItself: ReadonlySet<string> = new Set(['engine_full', 'engine_refused'])

export function refusalOf(error: unknown): Omit<Trouble, 'at'> {
  if (!isFault(error)) return { reason: 'rollout_stalled', message: String(error) }
  const { reason, message } = error
  if (reason !== 'port_in_use') return { reason, message }
  const port = /(?::|port )(\d+)/.exec(message)?.[1]
  const which = port === undefined ? 'a port' : `port ${port}`
  return {
    reason,
    message: `${which} of the machine is held by somebody else; stop it, or choose another hostPort (${message})`,
  }
}
