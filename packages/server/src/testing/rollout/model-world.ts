/** A world that does as it is told, if it is in the mood: what a rollout's decisions are tried on, tick by tick. */
import type { InstanceSlot, RolloutSpec, RolloutStatus } from '@gantry/core'
import type { RolloutFacts, SlotFacts } from '../../rollout/facts.ts'
import { nextStep } from '../../rollout/next-step.ts'
import type { Deed, Step } from '../../rollout/step.ts'
import { factsOf, slotOf } from './scenes.ts'

export type Mood = {
  /** Ticks from being told to being as told, and from being told to go to being gone. */
  readonly settleTicks: number
  readonly ackTicks: number
  /** Releases that never become ready. */
  readonly broken: readonly number[]
}

type Live = { facts: SlotFacts; left: number }

export class ModelWorld {
  readonly slots = new Map<InstanceSlot, Live>()
  readonly spec: RolloutSpec
  status: RolloutStatus = {}
  now: number
  wanted = 2
  /** Every decision, in order. */
  readonly steps: Step[] = []
  readonly #mood: Mood
  #ackLeft = 0

  constructor(spec: RolloutSpec, before: readonly SlotFacts[], mood: Mood, now: number) {
    this.spec = spec
    this.#mood = mood
    this.now = now
    for (const facts of before) this.slots.set(facts.slot, { facts, left: 0 })
  }

  facts(): RolloutFacts {
    const slots = [...this.slots.values()].map(({ facts }) => facts)
    return factsOf(slots, { wanted: this.wanted, traffic: { acknowledged: this.#ackLeft === 0 } })
  }

  /** One decision, and one turn of the world. */
  tick(spec: RolloutSpec = this.spec): Step {
    const step = nextStep({ spec, status: this.status }, this.facts(), this.now)
    this.steps.push(step)
    const { weights } = this.status
    const { weights: after } = step.status
    if (after && (weights?.a !== after.a || weights?.b !== after.b)) this.#ackLeft = this.#mood.ackTicks + 1
    this.status = step.status
    for (const deed of step.deeds) this.#do(deed)
    this.#turn()
    // Time passes to its end where only time is waited for, or where nothing else is going to happen.
    const isIdle = step.status.waitingOn === 'time' || this.#mood.broken.length > 0
    this.now += isIdle && step.afterMs !== undefined ? Math.max(1000, step.afterMs) : 1000
    return step
  }

  #do(deed: Deed): void {
    const there = this.slots.get(deed.slot)
    if (deed.do === 'remove') {
      if (there) this.slots.set(deed.slot, { facts: { ...there.facts, deleting: true }, left: this.#mood.settleTicks })
      return
    }
    const { slot, release, restartStamp, paused } = deed
    const fresh = there?.facts ?? slotOf(slot, release, { ready: 0, generation: 0, provider: this.spec.provider })
    const facts: SlotFacts = {
      ...fresh,
      type: there?.facts.type ?? this.spec.type,
      generation: fresh.generation + 1,
      release,
      restartStamp,
      paused,
      current: false,
      settled: false,
      updated: 0,
      updatedReady: 0,
    }
    this.slots.set(slot, { facts, left: this.#mood.settleTicks })
  }

  #turn(): void {
    if (this.#ackLeft > 0) this.#ackLeft -= 1
    for (const [slot, live] of this.slots) {
      if (live.left > 0) live.left -= 1
      else if (live.facts.deleting) this.slots.delete(slot)
      else live.facts = this.#settled(live.facts)
    }
  }

  #settled(facts: SlotFacts): SlotFacts {
    const wanted = this.wanted
    if (facts.paused) return { ...facts, current: true, settled: false }
    if (this.#mood.broken.includes(facts.release)) {
      // An update that keeps what is there until the new is ready leaves what is there.
      return {
        ...facts,
        current: true,
        settled: false,
        updated: 1,
        updatedReady: 0,
        waitingFor: 'replicas to be ready',
      }
    }
    const all = { ready: wanted, updated: wanted, updatedReady: wanted, others: 0, wanted }
    return { ...facts, ...all, current: true, settled: true }
  }
}
