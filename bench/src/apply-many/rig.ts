/** The program and a server for it: files are applied as people do it, and what comes of them is waited for. */
import { type ChildProcess, fork } from 'node:child_process'
import { once as event } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ours } from '../cli-cold/ours.ts'
import { once } from '../cli-cold/timed.ts'
import { fileOf, type Size, tenantOf } from './objects.ts'

type Call = { readonly signal: AbortSignal }

export type Rig = {
  /** Milliseconds that `gantry apply` takes for a file; what controllers make of it is not part of it. */
  apply(size: Size, version: number): Promise<number>
  /** Nothing is left to be done by anybody. */
  settled(size: Size): Promise<void>
  close(): Promise<void>
}

export async function openRig(call: Call): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-apply-many-'))
  const child = fork(fileURLToPath(new URL('./server.js', import.meta.url)), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    signal: call.signal,
  })
  const { address, token } = await addressFrom(child)
  const program = await ours(address)
  return {
    async apply(size, version) {
      const file = join(folder, `${size}.yaml`)
      await writeFile(file, fileOf(size, version))
      const args = [...program.args, '-n', tenantOf(size), 'apply', '-f', file]
      return await once({ ...program, args, env: { ...program.env, GANTRY_TOKEN: token } }, call.signal)
    },
    settled: (size) => settled(child, size),
    async close() {
      const ended = event(child, 'exit')
      child.disconnect()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

async function addressFrom(child: ChildProcess): Promise<{ readonly address: string; readonly token: string }> {
  const ended = event(child, 'exit').then(() => Promise.reject(new Error('The server of the bench ended at once')))
  const [message] = await Promise.race([event(child, 'message'), ended])
  return message as { address: string; token: string }
}

async function settled(child: ChildProcess, size: Size): Promise<void> {
  child.send({ settle: size })
  const [answer] = (await event(child, 'message')) as [{ readonly error?: string }]
  if (answer.error !== undefined) throw new Error(answer.error)
}
