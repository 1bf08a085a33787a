/** One connection to a server: one question at a time. */
import type { Socket } from 'node:net'
import type { AnswerHead } from './answer-head.ts'
import { AnswerReader } from './answer-reader.ts'
import { BodyPipe, type BodyStream } from './body-stream.ts'
import { Collected } from './collected.ts'

export type Answer = {
  readonly head: AnswerHead
  /** Whole, or to be read where a stream was asked for and this is no refusal. */
  readonly body: Buffer | BodyStream
}

/** Why there is no answer. */
export type Lost = {
  readonly cause: unknown
  /** Whether the server may have closed it before it saw the question: it was used before, and has not said a word. */
  readonly wasIdle: boolean
}

export type Question = {
  /** All of it. */
  readonly text: string
  readonly streamed: boolean
  /** Told what came first of a body that is no refusal. */
  readonly onBegin?: (bytes: Buffer) => void
}

type Asked = Question & {
  readonly resolve: (answer: Answer) => void
  readonly reject: (lost: Lost) => void
  /** Another question may follow. */
  readonly free: () => void
}

export class Connection {
  readonly #socket: Socket
  readonly #onClosed: () => void
  #asked: Asked | undefined
  #reader: AnswerReader | undefined
  #head: AnswerHead | undefined
  #collected: Collected | undefined
  #pipe: BodyPipe | undefined
  #uses = 0
  #heard = false
  #error: unknown

  constructor(socket: Socket, onClosed: () => void) {
    this.#socket = socket
    this.#onClosed = onClosed
    socket.setNoDelay(true)
    socket.on('data', (bytes: Buffer) => this.#take(bytes))
    socket.on('error', (cause) => {
      this.#error = cause
    })
    // Half a connection is of no use to anybody.
    socket.once('end', () => socket.destroy())
    socket.once('close', () => this.#closed())
  }

  ask(question: Question, free: () => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#asked = { ...question, resolve, reject, free }
      this.#heard = false
      this.#reader = new AnswerReader({
        head: (head) => this.#begin(head),
        data: (bytes, from, to) => this.#body(bytes, from, to),
        end: (reusable) => this.#end(reusable),
      })
      if (this.#uses++ > 0) this.#socket.ref()
      if (this.#socket.destroyed) this.#closed()
      // As bytes: a text is copied once more on its way through TLS, which was seen to take longer.
      else this.#socket.write(Buffer.from(question.text))
    })
  }

  /** Nobody is kept waiting for the end of this process by one that is idle. */
  rest(): void {
    this.#socket.unref()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    // Words that nobody asked for: whatever they are, the next answer would be misread.
    if (!this.#reader) return void this.#socket.destroy()
    this.#heard = true
    try {
      this.#reader.push(bytes)
    } catch (cause) {
      this.#error = cause
      this.#socket.destroy()
    }
  }

  #begin(head: AnswerHead): void {
    this.#head = head
    if (!this.#asked?.streamed || head.status >= 400) {
      this.#collected = new Collected(head.length)
      return
    }
    const socket = this.#socket
    this.#pipe = new BodyPipe({
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      destroy: () => socket.destroy(),
    })
    this.#asked.resolve({ head, body: this.#pipe })
  }

  #body(bytes: Buffer, from: number, to: number): void {
    if (this.#collected) {
      const isFirst = this.#collected.size === 0
      this.#collected.add(bytes, from, to)
      if (isFirst && (this.#head?.status ?? 0) < 400) this.#asked?.onBegin?.(bytes.subarray(from, to))
    } else this.#pipe?.push(bytes.subarray(from, to))
  }

  #end(reusable: boolean): void {
    const { asked, head, collected, pipe } = {
      asked: this.#asked,
      head: this.#head,
      collected: this.#collected,
      pipe: this.#pipe,
    }
    this.#forget()
    if (reusable) asked?.free()
    else this.#socket.destroy()
    if (pipe) {
      // It may end while its reader has it paused; the next question would never hear its answer.
      this.#socket.resume()
      pipe.close({})
    } else if (head && collected) asked?.resolve({ head, body: collected.whole() })
  }

  #closed(): void {
    this.#onClosed()
    if (this.#reader?.close()) return
    const cause = this.#error ?? new Error('the connection was closed')
    const { asked, pipe } = { asked: this.#asked, pipe: this.#pipe }
    const wasIdle = this.#uses > 1 && !this.#heard
    this.#forget()
    if (pipe) pipe.close({ cause })
    else asked?.reject({ cause, wasIdle })
  }

  #forget(): void {
    this.#asked = undefined
    this.#reader = undefined
    this.#head = undefined
    this.#collected = undefined
    this.#pipe = undefined
  }
}
