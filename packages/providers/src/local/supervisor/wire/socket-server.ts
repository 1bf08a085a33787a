/** Answers connections: one request each. Knows how to talk, and leaves what to do to `Asked`. */
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { Fault } from '@gantry/core/base'
import { frameReader, sendFrame } from './frames.ts'
import { type Answer, type Ask, faultToWire, type Hello, protocolVersion } from './protocol.ts'
import { socketAddress } from './socket-path.ts'

/** One connection, for as long as it is asked something over it. */
export type Connection = {
  event(value: unknown): void
  /** Frames after the first. */
  onFrame(task: (frame: unknown) => void): void
  /** The other side is gone, whether answered or not. */
  onGone(task: () => void): void
}

/** What it returns is the answer; what it throws is told as a fault. */
export type Asked = (ask: Ask, connection: Connection) => Promise<unknown>

export type SocketServer = { readonly connections: () => number; close(): Promise<void> }

/** How long a connection may take to say what it wants. */
const helloMs = 10_000
const longestBacklog = 8 << 20

export async function serveSocket(path: string, version: string, asked: Asked): Promise<SocketServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // A client that dies is told by its close; there is nobody left to tell an error to.
    socket.on('error', () => socket.destroy())
    converse(socket, version, asked)
  })
  // Whoever holds the lock on the folder may take the name: nobody listens there.
  rmSync(path, { force: true })
  await listen(server, path)
  return {
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.end()
      }),
  }
}

async function listen(server: Server, path: string): Promise<void> {
  const address = socketAddress(path)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(address.path, resolve)
    })
    chmodSync(path, 0o600)
  } finally {
    address.release()
  }
}

function converse(socket: Socket, version: string, asked: Asked): void {
  let hello = false
  let onFrame: (frame: unknown) => void = () => undefined
  const answer = (value: Answer): void => sendFrame(socket, value)
  const finish = (value: Answer): void => {
    answer(value)
    socket.end()
  }
  const refuse = (error: unknown): void => finish({ fault: faultToWire(error) })
  const connection: Connection = {
    event(value) {
      // Whoever does not read is let go, and finds out when it reads: what it missed is in its next snapshot.
      if (socket.writableLength > longestBacklog) socket.destroy()
      else answer({ event: value })
    },
    onFrame(task) {
      onFrame = task
    },
    onGone: (task) => void socket.once('close', task),
  }
  socket.setTimeout(helloMs, () => socket.destroy())
  const take = (frame: unknown): void => {
    if (hello) {
      onFrame(frame)
      return
    }
    hello = true
    socket.setTimeout(0)
    sendFrame(socket, { gantry: protocolVersion, version })
    const { gantry, ask } = frame as Partial<Hello>
    // A newer client must be able to put a newer supervisor in our place, so this is understood in every version.
    if (ask && (gantry === protocolVersion || ask.method === 'shutdown')) {
      asked(ask, connection).then((value) => finish({ ok: value ?? null }), refuse)
    } else {
      const message = `This supervisor (${version}) speaks version ${protocolVersion}, not ${gantry}: it must be replaced`
      refuse(new Fault('engine_refused', message))
    }
  }
  socket.on('data', frameReader(take, refuse))
}
