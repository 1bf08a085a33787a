/** Where users of an instance come to: takes what they ask, and keeps count of who still holds it. */
import type { Server, Socket } from 'node:net'
import { type Clock, sleep } from '@gantry/core'
import type { RestartMode } from '../engine.ts'
import { isAlive } from '../process-identity.ts'
import { Holds, same } from './holds.ts'
import { type Answer, type Ask, type KeeperStatus, type Outcome, onMessage, send } from './protocol.ts'

/** How long a keeper that nobody has come to yet waits for its first user. */
const arrivalMs = 15_000

export type DeskOptions = {
  /** Listening already, so that nothing is started for a socket that cannot be had. */
  readonly server: Server
  readonly graceMs: number
  readonly clock: Clock
  /** The word on the engine, once there is one. */
  readonly outcome: Promise<Outcome>
  readonly state: () => KeeperStatus['state']
  readonly restart: (mode: RestartMode) => Promise<void>
  /** Called when nobody needs the engine any more, or somebody wants it gone. */
  readonly close: (why: string) => void
  readonly log: (line: string) => void
}

export class Desk {
  readonly #options: DeskOptions
  readonly #holds: Holds
  readonly #users = new Set<Socket>()
  readonly #farewells: (() => void)[] = []
  #closed = false

  constructor(options: DeskOptions) {
    this.#options = options
    this.#holds = new Holds(options.clock.monotonic() + arrivalMs - options.graceMs)
    options.server.on('connection', (user) => this.#welcome(user))
  }

  /** To be called now and then: sponsors are looked after, and the engine given up when it is empty for long enough. */
  look(): void {
    const { clock, graceMs, close } = this.#options
    this.#holds.dropSponsors((one) => !isAlive(one), clock.monotonic())
    if (this.#holds.emptyForMs(clock.monotonic()) > graceMs) close('nobody needs it any more')
  }

  /** Takes nobody in any more; who comes from now on finds no socket, and waits for the keeper's lock. */
  shut(): void {
    this.#closed = true
    this.#options.server.close()
  }

  /** The last answers go out; a user that does not take them is not waited for. */
  async hangUp(): Promise<void> {
    const { clock } = this.#options
    const until = clock.monotonic() + 2_000
    for (const answer of this.#farewells) answer()
    for (const user of this.#users) user.end()
    const { signal } = new AbortController()
    while (this.#users.size > 0 && clock.monotonic() < until) await sleep(clock, 10, { signal })
    for (const user of this.#users) user.destroy()
  }

  #welcome(user: Socket): void {
    const { clock, log } = this.#options
    this.#users.add(user)
    user.on('close', () => {
      this.#users.delete(user)
      this.#holds.remove(user, clock.monotonic())
    })
    user.on('error', (error) => log(`a user's connection broke: ${error.message}`))
    onMessage<Ask>(user, ({ id, message }) => {
      const reply = (answer: Answer): void => send<Answer>(user, { id, message: answer })
      this.#answer(message, user, reply).catch((error: unknown) => reply({ state: 'failed', why: String(error) }))
    })
  }

  async #answer(ask: Ask, user: Socket, reply: (answer: Answer) => void): Promise<void> {
    const { outcome, clock, close } = this.#options
    switch (ask.ask) {
      case 'use':
      case 'hold': {
        // Too late to hold it: the user finds the connection closed, and comes again to the next keeper.
        if (this.#closed) return void user.destroy()
        this.#holds.add(user)
        const answer = await outcome
        if (answer.state === 'ready' && ask.ask === 'hold') this.#holds.stand()
        if (answer.state === 'ready' && ask.ask === 'use' && ask.sponsor) this.#holds.sponsor(ask.sponsor)
        return reply(answer)
      }
      case 'status': {
        const { users, standing } = this.#holds
        return reply({ state: 'status', status: { state: this.#options.state(), pid: process.pid, users, standing } })
      }
      case 'leave':
        this.#holds.dropSponsors((one) => same(one, ask.sponsor), clock.monotonic())
        if (this.#holds.empty) close('its last user left')
        return reply({ state: 'done', stopping: this.#holds.empty })
      case 'restart':
        await this.#options.restart(ask.mode)
        return reply({ state: 'done', stopping: false })
      case 'stop':
        this.#farewells.push(() => reply({ state: 'done', stopping: true }))
        return close('it was told to stop')
      default:
        return ask satisfies never
    }
  }
}
