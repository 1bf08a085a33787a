import { describe, expect, it } from 'vitest'
import { rollout } from '../controllers/testing/samples.ts'
import { nextStep } from '../rollout/next-step.ts'
import { coming, factsOf, slotOf, start, strategies } from '../testing/rollout/scenes.ts'
import { promote, resume } from './rollout-acts.ts'

const facts = factsOf([slotOf('a', 2, { ...coming, stalled: { reason: 'image_pull_failed', message: 'no app:2' } })])
const spec = { number: 2, release: 2, from: 1, strategy: { ...strategies.rolling, onFailure: 'pause' as const } }

describe('what a person says about a rollout', () => {
  it('gets it on after a failure that paused it, each time', () => {
    let { status } = nextStep(rollout(spec, { step: 'update', stable: 'a', returnable: true }), facts, start)
    let asked = rollout(spec, status)
    for (const _ of [1, 2]) {
      expect(status).toMatchObject({ phase: 'paused', failure: { reason: expect.any(String) } })
      asked = rollout({ ...asked.spec, ...resume(asked) }, status)
      status = nextStep(asked, facts, start).status
      expect(status).toMatchObject({ phase: 'progressing', waitingOn: 'replicas' })
      status = nextStep({ spec: asked.spec, status }, facts, start + 600_000).status
      asked = rollout(asked.spec, status)
    }
  })

  it('changes nothing about failures where there was none', () => {
    expect(resume(rollout(spec, { phase: 'paused' }))).toEqual({ paused: false })
  })

  it('opens one gate, however often it is said', () => {
    const first = rollout(spec, { phase: 'paused', gates: 1 })
    const again = rollout({ ...spec, ...promote(first) }, first.status)
    expect([promote(first), promote(again)]).toEqual([{ promote: 2 }, { promote: 2 }])
  })
})
