/** A user's connection to a keeper. */
import { connect, type Socket } from 'node:net'
import { type Call, Fault, orAbort } from '@gantry/core'
import { socketOf } from '../folder.ts'
import { type Answer, type Ask, onMessage, send } from './protocol.ts'

export type Link = {
  /** Rejects with `engine_unreachable` if the keeper goes away before it answers. */
  ask(ask: Ask, call: Call): Promise<Answer>
  close(): void
}

type Waiting = { readonly resolve: (answer: Answer) => void; readonly reject: (error: unknown) => void }

/** Undefined if no keeper listens there. */
export async function linkTo(folder: string): Promise<Link | undefined> {
  const socket = await dial(socketOf(folder))
  return socket && linkOver(socket)
}

function linkOver(socket: Socket): Link {
  const waiting = new Map<number, Waiting>()
  const gone = (): Fault => new Fault('engine_unreachable', 'The keeper of the engine ended before it answered')
  let asked = 0
  onMessage<Answer>(socket, ({ id, message }) => waiting.get(id)?.resolve(message))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(gone())
  })
  // The hold is meant to last as long as the process, and must not make it last longer.
  socket.unref()
  return {
    async ask(ask, call) {
      call.signal.throwIfAborted()
      if (socket.destroyed) throw gone()
      const id = ++asked
      const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }))
      socket.ref()
      send<Ask>(socket, { id, message: ask })
      try {
        return await orAbort(answer, call)
      } finally {
        waiting.delete(id)
        if (waiting.size === 0) socket.unref()
      }
    },
    close: () => socket.destroy(),
  }
}

function dial(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.removeListener('error', failed)
      resolve(socket)
    })
    socket.once('error', failed)
    function failed(error: NodeJS.ErrnoException): void {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(error)
    }
  })
}
