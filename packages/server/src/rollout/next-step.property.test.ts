import { canonicalJson, hasEnded, otherSlot, slots } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryFacts, arbitraryState } from '../testing/rollout/arbitrary-scenes.ts'
import { start } from '../testing/rollout/scenes.ts'
import type { RolloutFacts } from './facts.ts'
import { nextStep, type RolloutState } from './next-step.ts'
import type { Step } from './step.ts'
import { isUsable } from './weights.ts'

const runs = { numRuns: 3000 }
const now = start + 600_000

function holds(check: (step: Step, state: RolloutState, facts: RolloutFacts) => void): void {
  fc.assert(
    fc.property(arbitraryState, arbitraryFacts, (state, facts) => {
      check(nextStep(state, facts, now), state, facts)
    }),
    runs,
  )
}

describe('from any state and with any facts, a rollout', () => {
  it('comes nearer, waits for something that it names, or ends', () => {
    holds(({ deeds, status, afterMs }, state) => {
      if (hasEnded(state.status.phase)) {
        expect(status).toBe(state.status)
        return
      }
      const moves = deeds.length > 0 || afterMs === 0 || hasEnded(status.phase)
      const names = status.waitingOn !== undefined && (status.waitingFor ?? '') !== ''
      expect(moves || names).toBe(true)
      if (hasEnded(status.phase)) expect(status.endedAt).toBeDefined()
    })
  })

  it('fails with a reason only', () => {
    holds(({ status }, state) => {
      if (hasEnded(state.status.phase)) return
      if (status.phase === 'rolled_back') expect(status.failure?.reason).toBeTruthy()
      if (status.phase === 'failed' && state.status.phase !== 'failed') expect(status.failure?.message).toBeTruthy()
    })
  })

  it('has weights that sum to 100', () => {
    holds(({ status }) => {
      if (status.weights) expect(status.weights.a + status.weights.b).toBe(100)
    })
  })

  it('never sends requests where nobody answers while somebody would', () => {
    holds(({ status, deeds }, state, facts) => {
      const { weights } = status
      // Where it does not decide, it does not route; what two must never run at once is left before it is anew.
      const isStill = facts.leaving || facts.superseded || (facts.older && !facts.older.ended)
      if (isStill || hasEnded(state.status.phase) || !weights || status.step === 'clear') return
      if (hasEnded(status.phase) && deeds.length === 0 && state.spec.abort) return
      for (const slot of slots) {
        if (weights[slot] > 0 && !isUsable(facts.slots[slot]))
          expect(isUsable(facts.slots[otherSlot(slot)])).toBe(false)
      }
    })
  })

  it('never takes away the only slot that answers', () => {
    holds(({ deeds, status }, _, facts) => {
      if (status.step === 'clear') return
      for (const deed of deeds) {
        if (deed.do !== 'remove') continue
        const stays = facts.slots[otherSlot(deed.slot)]
        if (isUsable(facts.slots[deed.slot])) expect(isUsable(stays)).toBe(true)
      }
    })
  })

  it('takes a slot away only after the edge has said that nobody is sent there', () => {
    holds(({ deeds, status }, state, facts) => {
      if (status.step === 'clear') return
      for (const deed of deeds) {
        if (deed.do !== 'remove' || !isUsable(facts.slots[deed.slot])) continue
        expect(state.status.weights?.[deed.slot]).toBe(0)
        expect(facts.traffic.acknowledged).toBe(true)
      }
    })
  })

  it('touches nothing while an older one is not out of the way, a newer one is there, or the workload goes', () => {
    holds(({ deeds, status }, state, facts) => {
      if (hasEnded(state.status.phase)) return
      const isStill = facts.leaving || facts.superseded || (facts.older && !facts.older.ended)
      if (isStill) expect(deeds).toEqual([])
      if (facts.superseded && !facts.leaving && (!facts.older || facts.older.ended)) {
        expect(status.phase).toBe('superseded')
      }
    })
  })

  it('never changes where an instance runs', () => {
    holds(({ deeds, status }, { spec }, facts) => {
      for (const deed of deeds) {
        const there = facts.slots[deed.slot]
        if (deed.do !== 'put' || !there || there.deleting) continue
        // What goes back, or holds still, stays where it is.
        if (status.step !== 'back' && !deed.paused)
          expect([there.provider, there.type]).toEqual([spec.provider, spec.type])
      }
    })
  })

  it('comes to rest when nothing changes, without going in circles', () => {
    fc.assert(
      fc.property(arbitraryState, arbitraryFacts, (state, facts) => {
        let status = state.status
        for (let left = 20; left > 0; left -= 1) {
          const step = nextStep({ spec: state.spec, status }, facts, now)
          if (canonicalJson(step.status) === canonicalJson(status)) return
          status = step.status
        }
        expect(status).toBe('at rest')
      }),
      runs,
    )
  })
})
