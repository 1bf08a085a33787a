/** A provisioner that answers from a script and remembers how it was called. */
import type { Pass, Provisioner, Verb } from '../provisioners/provisioner.ts'
import { done, type Result } from '../results/result.ts'

export type Answer = Result | Error | ((pass: Pass) => Promise<Result>)

export class ScriptedStep implements Provisioner {
  readonly name: string
  readonly #journal: string[]
  readonly #answers: Record<Verb, Answer[]>

  /** Calls are written to `journal` as `+name` and `-name`. When its answers have run out, it is done. */
  constructor(name: string, journal: string[] = [], answers: Partial<Record<Verb, readonly Answer[]>> = {}) {
    this.name = name
    this.#journal = journal
    this.#answers = { provision: [...(answers.provision ?? [])], deprovision: [...(answers.deprovision ?? [])] }
  }

  provision(pass: Pass): Promise<Result> {
    this.#journal.push(`+${this.name}`)
    return this.#answer('provision', pass)
  }

  deprovision(pass: Pass): Promise<Result> {
    this.#journal.push(`-${this.name}`)
    return this.#answer('deprovision', pass)
  }

  async #answer(verb: Verb, pass: Pass): Promise<Result> {
    const answer = this.#answers[verb].shift() ?? done()
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(pass) : answer
  }
}
