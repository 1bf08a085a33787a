/** Connections that are kept, so many and no more; who comes later waits in line, for as long as the caller does. */
import type { Socket } from 'node:net'
import { type Call, type Clock, onAbort } from '@gantry/core'
import { type Answer, Connection, type Lost, type Question } from './connection.ts'

export type PoolOptions = {
  readonly clock: Clock
  /** Resolves when it can be written to. */
  readonly connect: (call: Call) => Promise<Socket>
  readonly atOnce: number
  /** One that was idle for longer is not trusted: the server may be closing it just now. */
  readonly idleMs: number
}

type Idle = { readonly connection: Connection; readonly since: number }

export class Pool {
  readonly #options: PoolOptions
  /** The last used is the first to be used again. */
  readonly #idle: Idle[] = []
  readonly #line = new Set<() => void>()
  readonly #all = new Set<Connection>()
  #open = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Rejects with the caller's reason, with what `connect` throws, or with a `Lost`. */
  async ask(question: Question, call: Call): Promise<Answer> {
    const connection = this.#fromIdle() ?? (await this.#make(call))
    const leave = onAbort(call.signal, () => connection.destroy())
    try {
      return await connection.ask(question, () => this.#give(connection))
    } catch (lost) {
      call.signal.throwIfAborted()
      throw lost
    } finally {
      leave()
    }
  }

  /** Idle ones are closed now, the others when they have answered. */
  close(): void {
    this.#isClosed = true
    for (const { connection } of this.#idle.splice(0)) connection.destroy()
  }

  #fromIdle(): Connection | undefined {
    for (let found = this.#idle.pop(); found; found = this.#idle.pop()) {
      if (this.#options.clock.monotonic() - found.since < this.#options.idleMs) return found.connection
      found.connection.destroy()
    }
    return undefined
  }

  async #make(call: Call): Promise<Connection> {
    while (this.#open >= this.#options.atOnce) {
      await this.#turn(call)
      const free = this.#fromIdle()
      if (free) return free
    }
    this.#open += 1
    try {
      const connection: Connection = new Connection(await this.#options.connect(call), () => this.#forget(connection))
      this.#all.add(connection)
      return connection
    } catch (error) {
      this.#left()
      throw error
    }
  }

  #turn({ signal }: Call): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const enter = (): void => {
        leave()
        resolve()
      }
      const leave = onAbort(signal, () => {
        this.#line.delete(enter)
        reject(signal.reason)
      })
      this.#line.add(enter)
    })
  }

  #give(connection: Connection): void {
    if (this.#isClosed) {
      connection.destroy()
      return
    }
    connection.rest()
    this.#idle.push({ connection, since: this.#options.clock.monotonic() })
    this.#next()
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection)) return
    const at = this.#idle.findIndex((idle) => idle.connection === connection)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#left()
  }

  #left(): void {
    this.#open -= 1
    this.#next()
  }

  #next(): void {
    const [first] = this.#line
    if (!first) return
    this.#line.delete(first)
    first()
  }
}

/** Whether it is what a connection rejects with, and not a fault or a caller's reason. */
export function isLost(error: unknown): error is Lost {
  return typeof error === 'object' && error !== null && 'wasIdle' in error
}
