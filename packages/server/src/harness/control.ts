/** How a server that can be made to die is told where, and asked what it has passed: over the channel to its parent. */
import type { ChildProcess } from 'node:child_process'
import type { Aim } from './trail.ts'

export type Asked =
  | { readonly ask: 'begin'; readonly aim: Aim | undefined }
  | { readonly ask: 'report' }
  /** Everything in its store, by kind and name, and what is used of quotas. */
  | { readonly ask: 'stored' }

export type Reported = { readonly passed: readonly string[]; readonly hit: boolean; readonly quietMs: number }

export type Question = { readonly id: number } & Asked
/** Said unasked, by a server that outlives what it was told to do. */
export type Hit = { readonly hit: true }
export type Answer = { readonly id: number; readonly answer?: unknown; readonly error?: string }

export class Control {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  #next = 0
  #onHit: (() => void) | undefined

  constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', (message) => {
      if ('hit' in (message as Answer | Hit)) return this.#onHit?.()
      const { id, answer, error } = message as Answer
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (error === undefined) waiting?.resolve(answer)
      else waiting?.reject(new Error(error))
    })
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the server is gone'))
      this.#waiting.clear()
    })
  }

  /** The process has ended, however that came about. */
  get isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** How it ended, in words; `undefined`: it runs. */
  get ending(): string | undefined {
    const { signalCode, exitCode } = this.#child
    return signalCode ?? (exitCode === null ? undefined : `code ${exitCode}`)
  }

  /** `onHit`: the one who was aimed at got his signal, and the server lives. */
  begin(aim: Aim | undefined, onHit?: () => void): Promise<unknown> {
    this.#onHit = onHit
    return this.#ask({ ask: 'begin', aim })
  }

  async report(): Promise<Reported> {
    return (await this.#ask({ ask: 'report' })) as Reported
  }

  async stored(): Promise<readonly string[]> {
    return (await this.#ask({ ask: 'stored' })) as readonly string[]
  }

  #ask(asked: Asked): Promise<unknown> {
    this.#next += 1
    const question: Question = { id: this.#next, ...asked }
    return new Promise((resolve, reject) => {
      if (this.isGone) return reject(new Error('the server is gone'))
      this.#waiting.set(question.id, { resolve, reject })
      this.#child.send(question, (error) => {
        if (error && this.#waiting.delete(question.id)) reject(error)
      })
    })
  }
}
