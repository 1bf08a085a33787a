/** Processes on a core of their own, where the machine has one for them and a program to say so. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `proxy`: what is measured has this one alone. `rest`: who asks and who answers. */
export const cores = { proxy: 0, rest: 1 } as const

export type Pinned = { readonly child: ChildProcess; close(): Promise<void> }

/** Whether cores can be told apart here; without it the figures are of a machine that does as it likes. */
export async function canPin(): Promise<boolean> {
  if (process.platform !== 'linux' || availableParallelism() < 2) return false
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const found = await Promise.all(folders.map((folder) => isProgram(join(folder, 'taskset'))))
  return found.includes(true)
}

export async function startPinned(
  core: number,
  argv: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  { signal }: { readonly signal: AbortSignal },
): Promise<Pinned> {
  const [program, ...args] = (await canPin()) ? ['taskset', '-c', String(core), ...argv] : argv
  const child = spawn(program ?? '', args, { env, signal, detached: true, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  if (child.pid !== undefined) await goFirst(child.pid)
  // A proxy that logs must not be held up by nobody reading; what it said last explains an early end.
  child.stderr?.resume()
  return {
    child,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/**
 * Before whatever else this machine does, all of them alike, so that neighbours are not measured. Linux shares the
 * processor out among sessions first, which is why each is in one of its own. Where it is not allowed, nothing is gained.
 */
async function goFirst(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/autogroup`, '-15').catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'EACCES', 'EPERM', 'EINVAL', 'EIO'].includes(error.code ?? '')) throw error
  })
}

/** A file of this folder, as it was built. */
export const benchProgram = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url))

function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
