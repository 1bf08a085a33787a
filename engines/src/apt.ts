/** Debian's program that gets packages, run as anybody may: it installs nothing here. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Call, Fault } from '@gantry/core'

const run = promisify(execFile)

/** What it printed; rejects with `engine_unreachable` and its last error. */
export async function aptGet(args: readonly string[], cwd: string, call: Call): Promise<string> {
  try {
    return (await run('apt-get', args, { cwd, signal: call.signal })).stdout
  } catch (cause) {
    call.signal.throwIfAborted()
    const said = String((cause as { stderr?: unknown }).stderr ?? cause).trim()
    const last = said.split('\n').findLast((line) => line.startsWith('E:')) ?? said
    const message = `Debian's packages could not be had (${last}); run apt-get update as root, or look at its sources`
    throw new Fault('engine_unreachable', message, { detail: said, cause })
  }
}
