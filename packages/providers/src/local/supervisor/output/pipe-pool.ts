/** Named pipes, made ahead and several at a time: Node cannot make any, and asking a program for each would slow every start. */
import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Clock, Fault } from '@gantry/core/base'
import { codeOf } from '../../../proc/processes.ts'

const run = promisify(execFile)
const batch = 32
/** More are made when those that are being started have had the machine to themselves for a moment. */
const refillAfterMs = 500

export class PipePool {
  readonly #folder: string
  readonly #clock: Clock
  readonly #ready: string[] = []
  #made = 0
  #making: Promise<void> | undefined
  #cancelRefill: (() => void) | undefined

  /** What is in the folder was a predecessor's, and nobody has it open. */
  constructor(folder: string, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
    // Whoever takes the first is told if that did not work.
    this.#make().catch(() => undefined)
  }

  /** The path of a pipe that nobody else gets; to be opened and removed. */
  async take(): Promise<string> {
    for (;;) {
      const path = this.#ready.shift()
      if (this.#ready.length < batch / 2) this.#refill()
      if (path !== undefined) return path
      await this.#make()
    }
  }

  /** Makes no more by itself. */
  close(): void {
    this.#cancelRefill?.()
  }

  #refill(): void {
    this.#cancelRefill ??= this.#clock.after(refillAfterMs, () => {
      this.#cancelRefill = undefined
      if (this.#ready.length < batch / 2) this.#make().catch(() => undefined)
    })
  }

  #make(): Promise<void> {
    this.#making ??= this.#more().finally(() => {
      this.#making = undefined
    })
    return this.#making
  }

  async #more(): Promise<void> {
    // A process is started before the pumps of its pipes are, so that they can be is found out here.
    if (this.#made === 0) await ask('cat', ['/dev/null'])
    const paths = Array.from({ length: batch }, () => join(this.#folder, String(++this.#made)))
    await ask('mkfifo', ['-m', '600', ...paths])
    this.#ready.push(...paths)
  }
}

async function ask(program: 'mkfifo' | 'cat', args: readonly string[]): Promise<void> {
  try {
    await run(program, args)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
    const message = `The supervisor needs the program ${program}, which is not in its PATH`
    throw new Fault('capability_missing', message, { cause })
  }
}
