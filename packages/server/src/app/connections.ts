/**
 * Connections that are open, and whether something is under way on them. When the server stops, those without anything are
 * cut; Node's own list of unused ones leaves out those on which nothing was ever asked, and clients do open such.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export class Connections {
  readonly #busy = new Map<Socket, number>()
  #isClosing = false

  constructor(server: Server, isTls: boolean) {
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#busy.set(socket, 0)
      socket.once('close', () => this.#busy.delete(socket))
    })
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1)
      response.once('close', () => this.#count(socket, -1))
    })
    // Whoever takes over the connection also ends it.
    server.on('upgrade', ({ socket }: IncomingMessage) => this.#busy.delete(socket))
  }

  /** From now on a connection goes as soon as nothing is under way on it. */
  close(): void {
    this.#isClosing = true
    for (const [socket, count] of this.#busy) if (count === 0) socket.destroy()
  }

  #count(socket: Socket, by: 1 | -1): void {
    const before = this.#busy.get(socket)
    if (before === undefined) return
    this.#busy.set(socket, before + by)
    if (this.#isClosing && before + by === 0) socket.end()
  }
}
