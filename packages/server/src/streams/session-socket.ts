/**
 * The server's end of a WebSocket. Frames are taken one at a time, so whoever sends faster than is read is slowed down;
 * what is sent is waited for, so whoever reads slowly slows down what is read for him, and whoever does not read is let go.
 */
import { asFault, type Clock, Fault, orAbort } from '@gantry/core'
import type { RawData, WebSocket } from 'ws'
import type { z } from 'zod'
import { problemOf } from '../app/problem.ts'
import type { OpenStream } from '../watch/open-streams.ts'

export type SessionSocketOptions = {
  readonly clock: Clock
  /** How long the first frame may take to come, and the caller's goodbye. */
  readonly stalledMs: number
  /** How long what was sent may stay unread. */
  readonly unreadMs: number
  readonly requestId: string
}

export type Incoming =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bytes'; readonly stream: number; readonly bytes: Uint8Array }

/** Frames that wait to be taken before the sender is told to wait. */
const mostWaiting = 16

export class SessionSocket implements OpenStream {
  readonly #socket: WebSocket
  readonly #options: SessionSocketOptions
  readonly #over = new AbortController()
  readonly #waiting: Incoming[] = []
  #wake: (() => void) | undefined

  constructor(socket: WebSocket, options: SessionSocketOptions) {
    this.#socket = socket
    this.#options = options
    socket.on('message', (data, isBinary) => this.#take(data, isBinary))
    socket.on('error', (error) => this.#end(error))
    socket.on('close', () => this.#end(new Fault('aborted', 'The caller has closed the connection')))
  }

  /** Ends with the connection. */
  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** The next frame; `undefined` once the caller has closed the connection. */
  async next(): Promise<Incoming | undefined> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next) {
        if (this.#waiting.length < mostWaiting && this.#socket.isPaused) this.#socket.resume()
        return next
      }
      if (this.#over.signal.aborted) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }

  /** The first frame, which says what is wanted: within a time, and of this shape. */
  async first<T>(schema: z.ZodType<T>): Promise<T> {
    const { clock, stalledMs } = this.#options
    const late = new Fault('deadline_exceeded', `The first frame did not come within ${stalledMs} ms`)
    const cancel = clock.after(stalledMs, () => this.closeWith(late))
    try {
      const first = await this.next()
      if (first === undefined) throw this.#over.signal.reason
      return readFrame(schema, first)
    } finally {
      cancel()
    }
  }

  /** Resolves when it is on its way. */
  say(frame: object): Promise<void> {
    return this.#send(JSON.stringify(frame))
  }

  bytes(stream: number, bytes: Uint8Array): Promise<void> {
    return this.#send(Buffer.concat([Buffer.of(stream), bytes]))
  }

  close(): void {
    this.#closing()
    this.#socket.close(1000)
  }

  closeWith(fault: Fault): void {
    if (this.#over.signal.aborted) return
    const problem: unknown = JSON.parse(problemOf(fault, this.#options.requestId).body)
    this.#socket.send(JSON.stringify({ type: 'fault', problem }))
    this.#end(fault)
    this.close()
  }

  /** A socket that answers no ping is cut by whoever sends to it; this keeps those in between from forgetting it. */
  beat(): void {
    if (!this.#over.signal.aborted) this.#socket.ping()
  }

  async #send(data: string | Buffer): Promise<void> {
    this.#over.signal.throwIfAborted()
    const { clock, unreadMs } = this.#options
    const cancel = clock.after(unreadMs, () => {
      this.#end(new Fault('slow_reader', `Nothing was read for ${unreadMs} ms`))
      this.#socket.terminate()
    })
    try {
      const sent = new Promise<void>((resolve, reject) => {
        this.#socket.send(data, (error) => (error ? reject(error) : resolve()))
      })
      await orAbort(sent, this.#over)
    } finally {
      cancel()
    }
  }

  /** Whoever does not answer to the end is not waited for. */
  #closing(): void {
    const cancel = this.#options.clock.after(this.#options.stalledMs, () => this.#socket.terminate())
    this.#socket.once('close', cancel)
  }

  #take(data: RawData, isBinary: boolean): void {
    const bytes = data as Buffer
    this.#waiting.push(
      isBinary
        ? { type: 'bytes', stream: bytes[0] ?? 0, bytes: bytes.subarray(1) }
        : { type: 'text', text: bytes.toString('utf8') },
    )
    if (this.#waiting.length >= mostWaiting) this.#socket.pause()
    this.#wake?.()
  }

  #end(reason: unknown): void {
    this.#over.abort(reason)
    this.#wake?.()
  }
}

/** What a text frame says, or why it says nothing. */
export function readFrame<T>(schema: z.ZodType<T>, incoming: Incoming): T {
  const parsed = incoming.type === 'text' ? schema.safeParse(jsonOf(incoming.text)) : undefined
  if (parsed?.success) return parsed.data
  const issues = (parsed?.error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
  const [first] = issues
  const why = first ? `${first.path} ${first.message}` : 'it must be a text frame with JSON in it'
  throw new Fault('schema', `The frame is not one that this address takes: ${why}`, { issues })
}

/** Runs it to its end, and closes the socket with how that was. */
export async function runSession(
  socket: SessionSocket,
  session: (socket: SessionSocket) => Promise<void>,
  failed: (fault: Fault) => Promise<void>,
): Promise<void> {
  try {
    await session(socket)
    socket.close()
  } catch (error) {
    const fault = asFault(error)
    // What cannot be recorded must not look as if it had been: the socket is closed either way.
    await failed(fault).finally(() => socket.closeWith(fault))
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
