/** The master key from a program: a keychain, a cloud's key service, a script that asks one. */
import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { type Call, type Clock, orAbort, withDeadline } from '@gantry/core'
import { parseKeyRing, unusable } from './key-ring.ts'
import type { KeySource } from './key-source.ts'

const patienceMs = 30_000
const mostBytes = 65_536

export function commandKeys(argv: readonly [string, ...string[]], clock: Clock): KeySource {
  // Only its name is ever shown: an argument may be a secret too.
  const where = `what ${basename(argv[0])} prints`
  return {
    async load(_mayCreate, call) {
      const deadline = withDeadline(clock, patienceMs, 'The program that tells the master key', call)
      try {
        return parseKeyRing(await outputOf(argv, deadline), where)
      } finally {
        deadline.clear()
      }
    },
  }
}

/** What it prints; what it says on its error output goes to ours, for whoever started the server. */
async function outputOf([program, ...args]: readonly [string, ...string[]], { signal }: Call): Promise<string> {
  signal.throwIfAborted()
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > mostBytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  const ended = new Promise<string | undefined>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) => resolve(code === 0 ? undefined : `it ended with ${killedBy ?? code}`))
  })
  const failure = await orAbort(ended, { signal }).catch((error: unknown) => {
    child.kill('SIGKILL')
    if (signal.aborted) throw error
    throw unusable(`${basename(program)} cannot be started`, error)
  })
  if (size > mostBytes) throw unusable(`${basename(program)} prints more than keys`)
  if (failure !== undefined) throw unusable(`${basename(program)} did not tell it: ${failure}`)
  return Buffer.concat(chunks).toString('utf8')
}
