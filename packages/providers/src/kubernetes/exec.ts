/** A command in a container of a pod, as a session. The server has no way to kill one: whoever leaves leaves it running. */
import { type Call, deferred, Fault, isFault, onAbort } from '@gantry/core'
import type { ExecExit, ExecRequest, ExecSession, TerminalSize } from '../exec.ts'
import type { ContainerAt, PodStream, PodsApi } from './api/api.ts'

/** Ctrl-D: what a terminal has in place of an end. */
const endOfInput = Buffer.from('\x04')

export async function podExec(
  pods: Pick<PodsApi, 'exec'>,
  at: ContainerAt,
  { argv, stdin = false, tty }: ExecRequest,
  call: Call,
): Promise<ExecSession> {
  call.signal.throwIfAborted()
  // Not the caller's own: what the command wrote is read to where he left.
  const life = new AbortController()
  const forget = onAbort(call.signal, () => life.abort(call.signal.reason))
  const takesInput = stdin || tty !== undefined
  try {
    const stream = await pods.exec(at, { argv, stdin: takesInput, tty: tty !== undefined }, life)
    const session = new Session(stream, { stdin: takesInput, tty: tty !== undefined }, call)
    if (tty) await session.resize(tty)
    return session.begin()
  } finally {
    forget()
  }
}

class Session implements ExecSession {
  readonly #stream: PodStream
  readonly #how: { readonly stdin: boolean; readonly tty: boolean }
  readonly #call: Call
  readonly #exit = deferred<ExecExit>()
  #isOver = false

  constructor(stream: PodStream, how: { readonly stdin: boolean; readonly tty: boolean }, call: Call) {
    this.#stream = stream
    this.#how = how
    this.#call = call
  }

  get stdout(): AsyncIterable<Uint8Array> {
    return this.#untilLeft(this.#stream.stdout)
  }

  get stderr(): AsyncIterable<Uint8Array> {
    return this.#untilLeft(this.#stream.stderr, true)
  }

  get exit(): Promise<ExecExit> {
    return this.#exit.promise
  }

  begin(): this {
    const forget = onAbort(this.#call.signal, () => {
      this.#exit.resolve({ ended: 'left_running' })
      this.#stream.close()
    })
    const over = (): void => {
      this.#isOver = true
      forget()
    }
    this.#stream.exit.then(
      (exitCode) => {
        over()
        this.#exit.resolve({ ended: 'exited', exitCode })
      },
      (error: unknown) => {
        over()
        const exitCode = neverBegan(error)
        if (exitCode === undefined) this.#exit.reject(error)
        else this.#exit.resolve({ ended: 'exited', exitCode })
      },
    )
    return this
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#call.signal.throwIfAborted()
    // A command that has ended takes nothing any more, and nobody should wait for it.
    if (this.#isOver) return
    try {
      await this.#stream.write(bytes)
    } catch (error) {
      this.#call.signal.throwIfAborted()
      // Its input is closed: whether that is the command's end or the engine's, the exit tells.
      if (!isFault(error, 'unavailable')) throw error
    }
  }

  async end(): Promise<void> {
    if (this.#how.tty) await this.write(endOfInput)
    else if (this.#how.stdin && !this.#isOver) await this.#stream.endInput()
  }

  async resize(size: TerminalSize): Promise<void> {
    if (!this.#how.tty) throw new Fault('capability_missing', 'There is no terminal to resize; ask for one with tty')
    if (!this.#isOver) await this.#stream.resize(size)
  }

  /** Who has left reads an end, and no error. */
  async *#untilLeft(bytes: AsyncIterable<Uint8Array>, words = false): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      if (!this.#call.signal.aborted) throw error
    }
    const failure = words
      ? await this.#stream.exit.then(
          () => undefined,
          (error: unknown) => error,
        )
      : undefined
    if (isFault(failure) && neverBegan(failure) !== undefined) yield Buffer.from(`${failure.message}\n`)
  }
}

/** As a shell says it, and a container runtime: the program is not there, or cannot be run. `undefined`: it was something else. */
function neverBegan(error: unknown): number | undefined {
  if (!isFault(error) || error.reason !== 'engine_rejected') return undefined
  return /executable file not found|no such file or directory/i.test(error.message) ? 127 : 126
}
