/** Pure: how what happened to a command becomes the end of this program. */
import type { ExecResult } from '@gantry/api'
import { Fault } from '@gantry/core'

/** As shells say it of a program that was killed, where nobody knows by which signal. */
const killed = 137

export function exitCodeOf(result: ExecResult): number {
  if (result.ended === 'exited') return result.exitCode
  if (result.ended === 'killed') return killed
  throw new Fault('aborted', 'The connection to the command is over, and the command goes on running there')
}
