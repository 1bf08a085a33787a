import { Fault, sleep } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { done, type Result, waiting } from '../results/result.ts'
import { ScriptedStep } from '../testing/scripted-step.ts'
import { concurrent } from './concurrent.ts'
import { enter } from './enter.ts'
import { newPass, type Provisioner, type Verb } from './provisioner.ts'

const call = { signal: new AbortController().signal }
let journal: string[]
let clock: VirtualClock

beforeEach(() => {
  journal = []
  clock = new VirtualClock()
})

const step = (name: string, answers = {}) => new ScriptedStep(name, journal, answers)

/** A step that answers after `ms`. */
const after = (ms: number, answer: Result | Error) => async () => {
  await sleep(clock, ms, call)
  if (answer instanceof Error) throw answer
  return answer
}

async function walk(root: Provisioner, verb: Verb = 'provision'): Promise<Result> {
  const walked = enter(root, verb, newPass(call))
  await clock.advance(1000)
  return walked
}

describe('concurrent', () => {
  it.each(['provision', 'deprovision'] as const)('calls every child to %s, also when some fail', async (verb) => {
    const root = concurrent('root', [
      step('a', { [verb]: [new Fault('schema', 'no')] }),
      step('b', { [verb]: [waiting('', 'pods')] }),
      step('c'),
    ])
    const result = await walk(root, verb)
    expect(journal.map((entry) => entry.slice(1))).toEqual(['a', 'b', 'c'])
    expect(result.parts?.map(({ path, state }) => [path, state])).toEqual([
      ['root/a', 'permanent'],
      ['root/b', 'yield'],
      ['root/c', 'done'],
    ])
  })

  it('reports permanent before transient before yield before done, whoever finishes first', async () => {
    const answers = [
      { answer: done(), rank: 0 },
      { answer: waiting('', 'pods'), rank: 1 },
      { answer: new Fault('engine_unreachable', 'cut off'), rank: 2 },
      { answer: new Fault('schema', 'no'), rank: 3 },
    ]
    const child = fc.record({ pick: fc.nat(3), ms: fc.nat(50) })
    await fc.assert(
      fc.asyncProperty(fc.array(child, { minLength: 1, maxLength: 6 }), async (children) => {
        const picked = children.map(({ pick }) => answers[pick] ?? { answer: done(), rank: 0 })
        const steps = children.map(({ ms }, index) =>
          step(`s${index}`, { provision: [after(ms, picked[index]?.answer ?? done())] }),
        )
        const { state, path } = await walk(concurrent('root', steps))
        const worst = Math.max(...picked.map(({ rank }) => rank))
        expect(state).toBe(['done', 'yield', 'transient', 'permanent'][worst])
        if (worst > 0) expect(path).toBe(`root/s${picked.findIndex(({ rank }) => rank === worst)}`)
      }),
      { numRuns: 50 },
    )
  })

  it('respects its limit', async () => {
    let running = 0
    let most = 0
    const busy = async (): Promise<Result> => {
      most = Math.max(most, ++running)
      await sleep(clock, 10, call)
      running -= 1
      return done()
    }
    const steps = Array.from({ length: 7 }, (_, index) => step(`s${index}`, { provision: [busy] }))
    expect(await walk(concurrent('root', steps, { limit: 3 }))).toMatchObject({ state: 'done' })
    expect(most).toBe(3)
    expect(journal).toHaveLength(7)
  })

  it('cancels no sibling of a child that fails', async () => {
    let finished = false
    const slow = async (): Promise<Result> => {
      await sleep(clock, 100, call)
      finished = true
      return done()
    }
    await walk(concurrent('root', [step('a', { provision: [new Error('bug')] }), step('b', { provision: [slow] })]))
    expect(finished).toBe(true)
  })

  it('passes an abort on to its children, and on to its caller after every child has left', async () => {
    const control = new AbortController()
    const reason = new Error('shutting down')
    let left = 0
    const hanging = async ({ signal }: { signal: AbortSignal }): Promise<Result> => {
      await sleep(clock, 10_000, { signal }).finally(() => {
        left += 1
      })
      return done()
    }
    const steps = ['a', 'b', 'c'].map((name) => step(name, { provision: [hanging] }))
    const walked = enter(concurrent('root', steps, { limit: 2 }), 'provision', newPass({ signal: control.signal }))
    control.abort(reason)
    await expect(walked).rejects.toBe(reason)
    expect(left).toBe(2)
    expect(journal).toEqual(['+a', '+b'])
    expect(clock.pending).toBe(0)
  })

  it('is done when it is empty', async () => {
    expect(await walk(concurrent('root', []))).toMatchObject({ state: 'done' })
  })
})
