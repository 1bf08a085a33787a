/** A tenant while it has keys in the queue: one lane for each priority. */
import { Lane } from './lane.ts'
import type { Priority } from './priority.ts'

export class Tenant {
  readonly name: string
  /** How many keys of it the queue knows; at 0 the queue forgets the tenant. */
  keys = 0
  readonly #lanes: readonly [Lane, Lane, Lane] = [new Lane(), new Lane(), new Lane()]

  constructor(name: string) {
    this.name = name
  }

  lane(priority: Priority): Lane {
    return this.#lanes[priority]
  }
}
