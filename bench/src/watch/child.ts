/** A process of this bench that is talked to in messages, one question and one answer at a time. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Call } from '@gantry/core'

export type Child<To extends object, From extends { readonly type: string }> = {
  send(message: To): void
  /** The next message of this type. */
  next<Type extends From['type']>(type: Type, call: Call): Promise<Extract<From, { readonly type: Type }>>
  end(): Promise<void>
}

export function startChild<To extends object, From extends { readonly type: string }>(
  program: URL,
  args: readonly string[] = [],
): Child<To, From> {
  const child: ChildProcess = fork(fileURLToPath(program), [...args])
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const told: From[] = []
  let wake = (): void => undefined
  let isOver = false
  child.on('message', (message) => {
    told.push(message as From)
    wake()
  })
  void ended.then(() => {
    isOver = true
    wake()
  })
  return {
    send: (message) => void child.send(message),
    async next<Type extends From['type']>(type: Type, { signal }: Call) {
      for (;;) {
        signal.throwIfAborted()
        const at = told.findIndex((message) => message.type === type)
        if (at >= 0) return told.splice(at, 1)[0] as Extract<From, { readonly type: Type }>
        if (isOver) throw new Error(`${program.pathname} ended before it said "${type}"`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    async end() {
      if (!isOver && child.connected) child.disconnect()
      await ended
    },
  }
}
