/** What to hide in the lines of a release: made once, for all its replicas and services, and kept while any is read. */
import type { Call, Secret } from '@gantry/core'
import type { Ref } from '@gantry/providers'
import { Automaton } from '../mask/automaton.ts'
import { formsOf } from '../mask/forms.ts'

/** Every value that the services of this release were given. Throws while that cannot be told. */
export type SecretsOf = (ref: Ref, release: string, call: Call) => Promise<readonly Secret[]>

type Entry = { users: number; automaton: Promise<Automaton | undefined> | undefined }

export class Masks {
  readonly #secretsOf: SecretsOf
  readonly #entries = new Map<string, Entry>()

  constructor(secretsOf: SecretsOf) {
    this.#secretsOf = secretsOf
  }

  /** Keeps it until `release` is called. */
  use(ref: Ref, release: string): { automaton(call: Call): Promise<Automaton | undefined>; release(): void } {
    const key = `${ref.uid}/${release}`
    const entry: Entry = this.#entries.get(key) ?? { users: 0, automaton: undefined }
    this.#entries.set(key, entry)
    entry.users += 1
    return {
      automaton: (call) => {
        entry.automaton ??= this.#make(ref, release, call)
        const made = entry.automaton
        // A failure is nobody's to keep: the next who asks tries again.
        made.catch(() => {
          if (entry.automaton === made) entry.automaton = undefined
        })
        return made
      },
      release: () => {
        entry.users -= 1
        if (entry.users === 0 && this.#entries.get(key) === entry) this.#entries.delete(key)
      },
    }
  }

  async #make(ref: Ref, release: string, call: Call): Promise<Automaton | undefined> {
    const forms = (await this.#secretsOf(ref, release, call)).flatMap(formsOf)
    return forms.length > 0 ? new Automaton(forms) : undefined
  }
}
