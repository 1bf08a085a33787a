/** Pure: how a command has ended, in the server's words. */
import type { Fault } from '@gantry/core'
import { faultOfStatus } from './faults.ts'
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
  const whole: Status = { kind: 'Status', ...(status ?? { message: said.slice(0, 500) }), code: status?.code ?? 500 }
  return faultOfStatus(whole, { as, detail: said.slice(0, 2_000) })
}

function statusIn(said: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(said)
    return typeof value === 'object' && value !== null ? (value as Status) : undefined
  } catch {
    return undefined
  }
}
