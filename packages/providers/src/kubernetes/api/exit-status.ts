/** Pure: how a command has ended, in the server's words. */
import type { Fault } from '@gantry/core'
import { faultOf } from './faults.ts'
import type { Status } from './types/status.ts'

/** The code, or why there is none: the command could not be begun, or its container is gone. */
export function exitOf(said: string, as: string): number | Fault {
  const status = statusIn(said)
  if (status?.status === 'Success') return 0
  const cause = status?.details?.causes?.find(({ reason }) => reason === 'ExitCode')
  if (status?.reason === 'NonZeroExitCode' && cause?.message !== undefined) {
    const code = Number(cause.message)
    if (Number.isInteger(code)) return code
  }
  return faultOf({ method: 'GET', path: 'exec', status: status?.code ?? 500, body: said, as })
}

function statusIn(said: string): Status | undefined {
  try {
    return JSON.parse(said) as Status
  } catch {
    return undefined
  }
}
