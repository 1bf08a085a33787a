/** The way to the supervisor: one connection for all, made when it is needed and made anew when it was lost. */
import { type Call, isFault, orAbort } from '@gantry/core'
import type { Supervisor } from './supervisor/supervisor.ts'

export type Connected = Supervisor & { readonly close?: () => unknown }

export class Link {
  readonly #connect: (call: Call) => Promise<Connected>
  readonly #over = new AbortController()
  #current: Promise<Connected> | undefined

  constructor(connect: (call: Call) => Promise<Connected>) {
    this.#connect = connect
  }

  /** Ends with the engine; for what goes on between calls. */
  get call(): Call {
    return this.#over
  }

  async supervisor(call: Call): Promise<Connected> {
    call.signal.throwIfAborted()
    this.#over.signal.throwIfAborted()
    // Shared by all who wait, so no single one of them may end it.
    this.#current ??= this.#connect(this.#over)
    const connecting = this.#current
    try {
      return await orAbort(connecting, call)
    } catch (error) {
      if (!call.signal.aborted && this.#current === connecting) this.#current = undefined
      throw error
    }
  }

  /** Does the work; a connection that turns out to be lost is not used again. */
  async use<T>(call: Call, work: (supervisor: Supervisor) => Promise<T>): Promise<T> {
    const supervisor = await this.supervisor(call)
    try {
      return await work(supervisor)
    } catch (error) {
      if (isFault(error) && error.reason === 'engine_unreachable') this.drop()
      throw error
    }
  }

  drop(): void {
    const lost = this.#current
    this.#current = undefined
    // Closing what is lost already may fail, and then there is nothing left to do about it.
    lost?.then((supervisor) => supervisor.close?.()).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.#over.abort(new Error('the local engine was closed'))
    const current = this.#current
    this.#current = undefined
    if (current) await current.then((supervisor) => supervisor.close?.()).catch(() => undefined)
  }
}
