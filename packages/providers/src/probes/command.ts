/** A command inside the service: exit 0 is well. */
import { type Call, isFault } from '@gantry/core'
import type { ExecRequest, ExecSession } from '../exec.ts'
import { type Look, unwell, well } from './look.ts'

/** How much of what it says is read for a message. */
const mostBytes = 4096

export function commandLook(
  argv: readonly string[],
  exec: (request: ExecRequest, call: Call) => Promise<ExecSession>,
): Look {
  const [program = ''] = argv
  return async (call) => {
    try {
      const session = await exec({ argv }, call)
      const [, said] = await Promise.all([lastLine(session.stdout), lastLine(session.stderr)])
      const exit = await session.exit
      call.signal.throwIfAborted()
      if (exit.ended !== 'exited') return unwell(`${program} was killed`)
      if (exit.exitCode === 0) return well
      return unwell(`${program} exited with code ${exit.exitCode}${said === '' ? '' : `: ${said}`}`)
    } catch (error) {
      call.signal.throwIfAborted()
      return unwell(`${program} could not be run: ${isFault(error) ? error.message : String(error)}`)
    }
  }
}

async function lastLine(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let kept = Buffer.alloc(0)
  for await (const chunk of stream) kept = Buffer.concat([kept, chunk]).subarray(-mostBytes)
  return kept.toString('utf8').trim().split('\n').at(-1) ?? ''
}
