/** Which backend gets a request: first the slot, by weight, then who has least to do in it. */
import type { Counter } from '../figures/counter.ts'
import type { Backend } from '../upstream/backend.ts'

export type LiveSlot = {
  readonly slot: 'a' | 'b'
  readonly weight: number
  readonly backends: readonly Backend[]
  readonly counts: Counter
  /** What it is owed, in the smooth kind of weighted turns: exact shares, evenly spread. */
  owed: number
  /** Where the next look begins, so that equals take turns. */
  turn: number
}

export type Choice = { readonly slot: LiveSlot; readonly backend: Backend }

/** Enough to be fair, however many there are. */
const looksAt = 8

/**
 * Never one that leaves, nor one that was tried for this request. One that nobody answered at lately only if there is
 * nobody else: trying it is better than not trying at all.
 */
export function choose(slots: readonly LiveSlot[], tried: readonly Backend[], now: number): Choice | undefined {
  const usable = (backend: Backend): boolean => !backend.leaving && !tried.includes(backend)
  const healthy = (backend: Backend): boolean => usable(backend) && backend.ejection.leftMs(now) === 0
  return chooseAmong(slots, healthy) ?? chooseAmong(slots, usable)
}

function chooseAmong(slots: readonly LiveSlot[], fits: (backend: Backend) => boolean): Choice | undefined {
  const slot = slots.length === 1 ? slots[0] : nextSlot(slots, fits)
  if (!slot || slot.weight <= 0) return undefined
  const backend = leastBusy(slot, fits)
  return backend && { slot, backend }
}

function nextSlot(slots: readonly LiveSlot[], fits: (backend: Backend) => boolean): LiveSlot | undefined {
  let total = 0
  let best: LiveSlot | undefined
  for (const slot of slots) {
    if (slot.weight <= 0 || !slot.backends.some(fits)) continue
    slot.owed += slot.weight
    total += slot.weight
    if (!best || slot.owed > best.owed) best = slot
  }
  if (best) best.owed -= total
  return best
}

function leastBusy(slot: LiveSlot, fits: (backend: Backend) => boolean): Backend | undefined {
  const { backends } = slot
  const count = backends.length
  slot.turn = slot.turn + 1 < count ? slot.turn + 1 : 0
  let best: Backend | undefined
  for (let step = 0, seen = 0; step < count && seen < looksAt; step++) {
    const backend = backends[(slot.turn + step) % count]
    if (!backend || !fits(backend)) continue
    seen++
    if (!best || backend.counts.inFlight < best.counts.inFlight) best = backend
  }
  return best
}
