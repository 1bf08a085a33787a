/** Ten noisy replicas that are ready to begin. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { replicas } from './lines.ts'

export type Noisy = {
  /** What each writes. */
  readonly outputs: readonly Socket[]
  begin(): void
  ended(): Promise<void>
}

export async function startNoisy(): Promise<Noisy> {
  const program = fileURLToPath(new URL('./noisy.js', import.meta.url))
  const children = Array.from({ length: replicas }, () =>
    fork(program, [], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  const ends = children.map((child) => once(child, 'exit'))
  return {
    outputs: children.map((child: ChildProcess) => child.stdout as Socket),
    begin: () => {
      for (const child of children) child.send('begin')
    },
    ended: async () => void (await Promise.all(ends)),
  }
}
