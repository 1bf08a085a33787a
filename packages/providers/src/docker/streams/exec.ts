/** A command in a container, as a session: streams apart, read as fast as they are taken, and ended with whoever leaves. */
import { randomBytes } from 'node:crypto'
import { type Call, deferred, Fault, isFault, onAbort, sleep, systemClock } from '@gantry/core'
import type { ExecExit, ExecRequest, ExecSession, TerminalSize } from '../../exec.ts'
import type { DockerApi, ExecSession as Opened } from '../api/api.ts'
import type { CreateExec } from '../api/types/exec.ts'
import { boundedStream } from './bounded-stream.ts'
import { killCommand, type MarkedCommand, markOf } from './kill-command.ts'
import type { ContainerExec, ExecSettings } from './streams.ts'

/** Ctrl-D: what a terminal has in place of an end. */
const endOfInput = Buffer.from('\x04')
const lookEveryMs = 5

export const containerExec: ContainerExec = async (api, id, request, call, settings = {}) => {
  call.signal.throwIfAborted()
  const { clock = systemClock } = settings
  const mark = randomBytes(12).toString('hex')
  const exec = await api.execs.create(id, createSettings(api, request, settings, mark), call)
  const command = { api, clock, exec, mark }
  // Not the caller's own: who leaves closes nothing before the command is killed.
  const life = new AbortController()
  const opened = await start(command, request, life, call)
  return new Session(command, request, opened, life, call).begin()
}

function createSettings(
  { capabilities }: DockerApi,
  { argv, stdin = false, tty }: ExecRequest,
  { env = {}, user, workingDir }: ExecSettings,
  mark: string,
): CreateExec {
  return {
    Cmd: argv,
    AttachStdin: stdin || tty !== undefined,
    AttachStdout: true,
    AttachStderr: true,
    Tty: tty !== undefined,
    Env: [...Object.entries(env).map(([name, value]) => `${name}=${value}`), markOf(mark)],
    ...(tty && capabilities.execConsoleSize ? { ConsoleSize: [tty.rows, tty.columns] as const } : {}),
    ...(user === undefined ? {} : { User: user }),
    ...(workingDir === undefined ? {} : { WorkingDir: workingDir }),
  }
}

async function start(command: MarkedCommand, { tty }: ExecRequest, life: AbortController, call: Call): Promise<Opened> {
  const unlisten = onAbort(call.signal, () => life.abort(call.signal.reason))
  try {
    return await command.api.execs.start(command.exec, { tty: tty !== undefined }, life)
  } catch (error) {
    // It may have been started all the same. Who has left hears why he did, not how that went.
    if (call.signal.aborted) await killCommand(command).catch(() => undefined)
    throw error
  } finally {
    unlisten()
  }
}

class Session implements ExecSession {
  readonly #command: MarkedCommand
  readonly #request: ExecRequest
  readonly #opened: Opened
  readonly #life: AbortController
  readonly #call: Call
  readonly #streams = { stdout: boundedStream(), stderr: boundedStream() }
  readonly #exit = deferred<ExecExit>()
  #isOver = false

  constructor(command: MarkedCommand, request: ExecRequest, opened: Opened, life: AbortController, call: Call) {
    this.#command = command
    this.#request = request
    this.#opened = opened
    this.#life = life
    this.#call = call
  }

  get stdout(): AsyncIterable<Uint8Array> {
    return this.#streams.stdout.bytes
  }

  get stderr(): AsyncIterable<Uint8Array> {
    return this.#streams.stderr.bytes
  }

  get exit(): Promise<ExecExit> {
    return this.#exit.promise
  }

  async begin(): Promise<this> {
    const { tty } = this.#request
    const unlisten = onAbort(this.#call.signal, () => void this.#leave())
    void this.#carry().finally(unlisten)
    if (tty && !this.#command.api.capabilities.execConsoleSize) await this.resize(tty)
    return this
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#call.signal.throwIfAborted()
    // A command that has ended takes nothing any more, and nobody should wait for it.
    if (this.#isOver) return
    try {
      await this.#opened.write(bytes)
    } catch (error) {
      this.#call.signal.throwIfAborted()
      if (!isFault(error, 'unavailable')) throw error
      // Its input is closed: whether that is the command's end or the engine's, the exit tells.
    }
  }

  async end(): Promise<void> {
    if (this.#request.tty) await this.write(endOfInput)
    else if (this.#request.stdin) this.#opened.endInput()
  }

  async resize(size: TerminalSize): Promise<void> {
    if (!this.#request.tty)
      throw new Fault('capability_missing', 'There is no terminal to resize; ask for one with tty')
    const { api, exec } = this.#command
    try {
      await api.execs.resize(exec, size, this.#life)
    } catch (error) {
      this.#call.signal.throwIfAborted()
      // One that has ended needs no size.
      if ((await api.execs.inspect(exec, this.#life))?.Running) throw error
    }
  }

  /** Takes output over until it ends, then asks how the command did. */
  async #carry(): Promise<void> {
    const { api, exec } = this.#command
    try {
      let hasBegun = this.#request.tty !== undefined
      for await (const { stream, data } of this.#opened.output) {
        // What the engine says of a command that it could not start comes as if the command had said it.
        if (!hasBegun && !(await this.#begins())) this.#streams.stderr.push(data)
        else {
          hasBegun = true
          this.#streams[stream].push(data)
        }
        await Promise.all([this.#streams.stdout.room(), this.#streams.stderr.room()])
      }
      const exitCode = await api.execs.exitCode(exec, this.#life)
      // Who has left is told by what has killed it.
      if (!this.#call.signal.aborted) this.#exit.resolve({ ended: 'exited', exitCode })
    } catch (error) {
      if (!this.#call.signal.aborted) this.#exit.reject(error)
    } finally {
      this.#isOver = true
      this.#close()
    }
  }

  /** Whether there is a process: the engine has something to say, so there is or never will be one. */
  async #begins(): Promise<boolean> {
    const { api, clock, exec } = this.#command
    for (;;) {
      const found = await api.execs.inspect(exec, this.#life)
      if (!found || found.Pid > 0) return true
      if (!found.Running) return false
      await sleep(clock, lookEveryMs, this.#life)
    }
  }

  async #leave(): Promise<void> {
    this.#opened.endInput()
    this.#close()
    try {
      this.#exit.resolve(await killCommand(this.#command))
    } catch (error) {
      this.#exit.reject(error)
    } finally {
      this.#life.abort(this.#call.signal.reason)
      this.#opened.close()
    }
  }

  #close(): void {
    this.#streams.stdout.close()
    this.#streams.stderr.close()
  }
}
