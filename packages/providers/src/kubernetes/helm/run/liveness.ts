/** Whether the helm of an operation lives, and how it is ended: by the mark in its environment, whoever of us started it. */
import type { Clock } from '@gantry/core'
import { bearersOf, markerName } from '../../../proc/marker.ts'
import { type ProcessIdentity, sendSignal } from '../../../proc/processes.ts'
import type { Operation } from '../record.ts'
import { type HelmMachine, seenFrom } from './machine.ts'

/** Helm writes down that it was cancelled, which takes a moment; with `atomic` it also takes back what it has done. */
const patienceMs = 15_000

export class Liveness {
  readonly #clock: Clock
  readonly #here: HelmMachine
  readonly #asked = new Map<string, number>()

  constructor(clock: Clock, here: HelmMachine) {
    this.#clock = clock
    this.#here = here
  }

  of({ mark, host }: Operation): 'alive' | 'dead' | 'unknown' {
    const seen = seenFrom(this.#here, host)
    if (seen === 'gone') return 'dead'
    if (seen === 'unseen') return 'unknown'
    if (processesOf(mark).length > 0) return 'alive'
    this.#asked.delete(mark)
    return 'dead'
  }

  /** Asks it to end, and after a while kills it. */
  end({ mark }: Operation): void {
    const now = this.#clock.monotonic()
    const askedAt = this.#asked.get(mark)
    if (askedAt === undefined) this.#asked.set(mark, now)
    const signal = askedAt !== undefined && now - askedAt >= patienceMs ? 'SIGKILL' : 'SIGTERM'
    if (signal === 'SIGTERM' && askedAt !== undefined) return
    for (const identity of processesOf(mark)) sendSignal(identity, signal)
  }
}

const processesOf = (mark: string): readonly ProcessIdentity[] => bearersOf(markerName, mark)
