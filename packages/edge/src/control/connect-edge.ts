/** The other end of the control socket: questions with deadlines, answered by their ids. */
import { connect, type Socket } from 'node:net'
import { type Call, type Clock, Fault, orAbort, withDeadline } from '@gantry/core'
import type { EdgeLink } from './edge-link.ts'
import { readLines, writeLine } from './lines.ts'
import type { EdgeAnswer, EdgeQuestion, EdgeState, Refusal } from './protocol.ts'

/** Nothing that is asked takes long, but for a table that is synced to a slow disk. */
const answerWithinMs = 10_000

type WithoutId<Question> = Question extends EdgeQuestion ? Omit<Question, 'id'> : never
type Pending = { readonly resolve: (answer: EdgeAnswer) => void; readonly reject: (fault: Fault) => void }

/** Refused with `edge_unreachable` where nobody answers, or not in our words. */
export async function connectEdge(path: string, clock: Clock, call: Call): Promise<EdgeLink> {
  const deadline = withDeadline(clock, answerWithinMs, 'Connecting to the edge', call)
  const socket = connect(path)
  try {
    const link = new Link(socket, clock)
    return await orAbort(link.ready, deadline)
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    deadline.clear()
  }
}

class Link implements EdgeLink {
  readonly ready: Promise<EdgeLink>
  readonly ended: Promise<string>
  readonly #socket: Socket
  readonly #clock: Clock
  readonly #pending = new Map<number, Pending>()
  #hello: EdgeState | undefined
  #nextId = 1
  #gone: Fault | undefined

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket
    this.#clock = clock
    this.ready = new Promise((resolve, reject) => {
      this.#pending.set(0, { resolve: (answer) => this.#greet(answer, resolve, reject), reject })
    })
    this.ended = new Promise((resolve) => {
      let why = 'the edge closed the connection'
      socket.on('error', (error) => {
        why = error.message
      })
      socket.on('close', () => {
        this.#lose(why)
        resolve(why)
      })
    })
    readLines(socket, (value) => this.#hear(value as EdgeAnswer))
  }

  get hello(): EdgeState {
    if (!this.#hello) throw new Fault('unexpected', 'The edge has not said how it is yet')
    return this.#hello
  }

  async swap(table: Parameters<EdgeLink['swap']>[0], call: Call): ReturnType<EdgeLink['swap']> {
    const answer = await this.#ask({ ask: 'swap', table }, call)
    return 'inFlight' in answer ? answer.inFlight : unfit(answer)
  }

  async state(call: Call): Promise<EdgeState> {
    const answer = await this.#ask({ ask: 'state' }, call)
    return 'state' in answer ? answer.state : unfit(answer)
  }

  async table(call: Call): ReturnType<EdgeLink['table']> {
    const answer = await this.#ask({ ask: 'table' }, call)
    return 'table' in answer ? answer.table : unfit(answer)
  }

  async figures(call: Call): ReturnType<EdgeLink['figures']> {
    const answer = await this.#ask({ ask: 'figures' }, call)
    return 'figures' in answer ? answer.figures : unfit(answer)
  }

  async inFlight(backends: readonly string[], call: Call): ReturnType<EdgeLink['inFlight']> {
    const answer = await this.#ask({ ask: 'in_flight', backends }, call)
    return 'inFlight' in answer ? answer.inFlight : unfit(answer)
  }

  async stop(graceMs: number, call: Call): Promise<void> {
    await this.#ask({ ask: 'stop', graceMs }, call)
  }

  close(): void {
    this.#socket.destroy()
  }

  async #ask(question: WithoutId<EdgeQuestion>, call: Call): Promise<EdgeAnswer> {
    if (this.#gone) throw this.#gone
    const id = this.#nextId++
    const deadline = withDeadline(this.#clock, answerWithinMs, `The edge's answer to ${question.ask}`, call)
    try {
      const heard = new Promise<EdgeAnswer>((resolve, reject) => this.#pending.set(id, { resolve, reject }))
      writeLine(this.#socket, { id, ...question })
      const answer = await orAbort(heard, deadline)
      if ('refused' in answer) throw refusal(answer.refused)
      return answer
    } finally {
      this.#pending.delete(id)
      deadline.clear()
    }
  }

  #hear(answer: EdgeAnswer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    pending?.resolve(answer)
  }

  #greet(answer: EdgeAnswer, resolve: (link: EdgeLink) => void, reject: (fault: Fault) => void): void {
    const hello = 'hello' in answer ? answer.hello : undefined
    if (hello?.protocol === 1) {
      this.#hello = hello
      resolve(this)
    } else {
      reject(new Fault('edge_unreachable', 'What answers at the control socket is not an edge of this version'))
    }
  }

  #lose(why: string): void {
    this.#gone = new Fault('edge_unreachable', 'The edge cannot be reached', { detail: why })
    for (const pending of this.#pending.values()) pending.reject(this.#gone)
    this.#pending.clear()
  }
}

function refusal({ reason, message }: Refusal): Fault {
  return new Fault(reason === 'stale' ? 'stale_table' : 'edge_refused', message)
}

function unfit(answer: EdgeAnswer): never {
  throw new Fault('edge_refused', 'The edge gave an answer to another question', { detail: JSON.stringify(answer) })
}
