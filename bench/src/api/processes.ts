/** The processes of the API's benches: each side serves in one of its own, and so does whoever asks. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Driven, Order } from './driver.ts'
import type { Side } from './server.ts'

type Address = { readonly address: string; readonly token: string }

export type Process = { close(): Promise<void> }
export type Serving = Process & Address
export type Driver = Process & { drive(order: Order): Promise<number> }

const answerWithinMs = 120_000

export async function startServer(side: Side, call: { readonly signal: AbortSignal }): Promise<Serving> {
  const child = start('server', [side], call)
  const { address, token } = await nextMessage<Address>(child)
  return {
    address,
    token,
    close: async () => {
      child.send('end')
      await once(child, 'exit')
    },
  }
}

export function startDriver(call: { readonly signal: AbortSignal }): Driver {
  const child = start('driver', [], call)
  return {
    async drive(order) {
      child.send(order)
      const driven = await nextMessage<Driven>(child)
      if ('error' in driven) throw new Error(driven.error)
      return driven.perSecond
    },
    close: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

function start(name: string, argv: readonly string[], { signal }: { readonly signal: AbortSignal }): ChildProcess {
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  return fork(file, argv, { signal, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** What it says next; an error if it ends instead, or says nothing for too long. */
async function nextMessage<T>(child: ChildProcess): Promise<T> {
  const done = new AbortController()
  const { signal } = done
  const failure = Promise.race([
    once(child, 'exit', { signal }).then(() => 'ended before it had answered'),
    sleep(answerWithinMs, 'has not answered in time', { signal }),
  ]).then((why) => Promise.reject(new Error(`A process of the bench ${why}`)))
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), failure])) as [T]
    return message
  } finally {
    done.abort()
  }
}
