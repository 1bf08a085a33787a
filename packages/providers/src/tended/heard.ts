/** Whether an engine is heard of now, and who is told when that changes: once each time, however often it is said. */
import { Fault } from '@gantry/core'
import type { Telling } from './telling.ts'

export class Heard {
  readonly #telling: Pick<Telling, 'tell'>
  #lost: Fault | undefined

  /** `name`: of the engine, for people. */
  constructor(name: string, telling: Pick<Telling, 'tell'>) {
    this.#telling = telling
    this.#lost = new Fault('engine_unreachable', `${name} was not reached yet`)
  }

  /** Why nothing new is heard; `undefined`: what is known is up to date. */
  get lost(): Fault | undefined {
    return this.#lost
  }

  /** Everything was looked at. Answers whether it was lost until now. */
  found(): boolean {
    const was = this.#lost !== undefined
    this.#lost = undefined
    if (was) this.#telling.tell({ type: 'found' })
    return was
  }

  lose(fault: Fault): void {
    const was = this.#lost
    this.#lost = fault
    if (!was) this.#telling.tell({ type: 'lost', fault })
  }
}
