/** Named pipes, made ahead and several at a time: Node cannot make any, and asking a program for each would slow every start. */
import { execFile } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Fault } from '@gantry/core/base'
import { codeOf } from '../proc.ts'

const run = promisify(execFile)
const batch = 16

export class PipePool {
  readonly #folder: string
  readonly #ready: string[] = []
  #made = 0
  #making: Promise<void> | undefined

  /** What is in the folder was a predecessor's, and nobody has it open. */
  constructor(folder: string) {
    this.#folder = folder
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
    // Whoever takes the first is told if that did not work.
    this.#make().catch(() => undefined)
  }

  /** The path of a pipe that nobody else gets; to be opened and removed. */
  async take(): Promise<string> {
    for (;;) {
      const path = this.#ready.shift()
      if (this.#ready.length < batch / 2) this.#make().catch(() => undefined)
      if (path !== undefined) return path
      await this.#make()
    }
  }

  #make(): Promise<void> {
    this.#making ??= this.#more().finally(() => {
      this.#making = undefined
    })
    return this.#making
  }

  async #more(): Promise<void> {
    const paths = Array.from({ length: batch }, () => join(this.#folder, String(++this.#made)))
    try {
      await run('mkfifo', ['-m', '600', ...paths])
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      throw new Fault('capability_missing', 'The supervisor needs the program mkfifo, which is not in its PATH', {
        cause: error,
      })
    }
    this.#ready.push(...paths)
  }
}
