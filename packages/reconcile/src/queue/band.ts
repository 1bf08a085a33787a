/** All that waits at one priority: a ring of lanes in which tenants take turns, one key each. */
import type { Lane } from './lane.ts'
import { none, type Slots } from './slots.ts'

export class Band {
  /** The lane whose turn it is; every lane in the ring has something waiting. */
  #turn: Lane | undefined
  /** How often this band was passed over for a higher one while something waited here. */
  passedOver = 0

  get empty(): boolean {
    return this.#turn === undefined
  }

  push(slots: Slots, slot: number, lane: Lane): void {
    if (lane.empty) this.#join(lane)
    lane.push(slots, slot)
  }

  shift(slots: Slots): number {
    const lane = this.#turn
    if (!lane) return none
    const slot = lane.shift(slots)
    if (lane.empty) this.#leave(lane)
    else this.#turn = lane.nextLane
    return slot
  }

  remove(slots: Slots, slot: number, lane: Lane): void {
    lane.remove(slots, slot)
    if (lane.empty) this.#leave(lane)
  }

  *slots(slots: Slots): Iterable<number> {
    const start = this.#turn
    let lane = start
    while (lane) {
      yield* lane.slots(slots)
      lane = lane.nextLane
      if (lane === start) return
    }
  }

  /** A lane joins at the end of the round: just before the one whose turn it is. */
  #join(lane: Lane): void {
    const turn = this.#turn
    if (!turn) {
      lane.nextLane = lane
      lane.previousLane = lane
      this.#turn = lane
      return
    }
    const last = turn.previousLane ?? turn
    last.nextLane = lane
    lane.previousLane = last
    lane.nextLane = turn
    turn.previousLane = lane
  }

  #leave(lane: Lane): void {
    const { nextLane, previousLane } = lane
    if (this.#turn === lane) this.#turn = nextLane === lane ? undefined : nextLane
    if (nextLane) nextLane.previousLane = previousLane
    if (previousLane) previousLane.nextLane = nextLane
    lane.nextLane = undefined
    lane.previousLane = undefined
  }
}
