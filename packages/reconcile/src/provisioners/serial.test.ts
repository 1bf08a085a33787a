import { Fault } from '@gantry/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { waiting } from '../results/result.ts'
import { ScriptedStep } from '../testing/scripted-step.ts'
import { concurrent } from './concurrent.ts'
import { enter } from './enter.ts'
import { newPass, type Provisioner } from './provisioner.ts'
import { serial } from './serial.ts'

const call = { signal: new AbortController().signal }
const wait = waiting('', 'pods')
const broken = new Fault('engine_unreachable', 'cut off')
let journal: string[]

beforeEach(() => {
  journal = []
})

const provision = (root: Provisioner) => enter(root, 'provision', newPass(call))
const deprovision = (root: Provisioner) => enter(root, 'deprovision', newPass(call))
const step = (name: string, answers = {}) => new ScriptedStep(name, journal, answers)

describe('serial', () => {
  it('provisions in order and is done when all are', async () => {
    const result = await provision(serial('root', [step('a'), step('b'), step('c')]))
    expect(journal).toEqual(['+a', '+b', '+c'])
    expect(result).toMatchObject({ state: 'done', path: 'root' })
    expect(result.parts?.map(({ path, state }) => [path, state])).toEqual([
      ['root/a', 'done'],
      ['root/b', 'done'],
      ['root/c', 'done'],
    ])
  })

  it('takes down in reverse order', async () => {
    expect(await deprovision(serial('root', [step('a'), step('b'), step('c')]))).toMatchObject({ state: 'done' })
    expect(journal).toEqual(['-c', '-b', '-a'])
  })

  it.each([
    ['a yield', wait, { state: 'yield', path: 'root/b', reason: 'pods' }],
    ['a fault', broken, { state: 'transient', path: 'root/b', fault: broken }],
    ['a permanent fault', new Fault('schema', 'no'), { state: 'permanent', path: 'root/b' }],
    ['a throw that is no fault', new TypeError('bug'), { state: 'transient', fault: { kind: 'internal' } }],
  ])('stops at %s, and names the step', async (_, answer, expected) => {
    const result = await provision(serial('root', [step('a'), step('b', { provision: [answer] }), step('c')]))
    expect(journal).toEqual(['+a', '+b'])
    expect(result).toMatchObject(expected)
    expect(result.parts?.map(({ path }) => path)).toEqual(['root/a', 'root/b'])
  })

  it('stops taking down at the first that is not gone', async () => {
    const result = await deprovision(serial('root', [step('a'), step('b', { deprovision: [wait] }), step('c')]))
    expect(journal).toEqual(['-c', '-b'])
    expect(result).toMatchObject({ state: 'yield', path: 'root/b' })
  })

  it('is done when it is empty', async () => {
    expect(await provision(serial('root', []))).toMatchObject({ state: 'done', path: 'root' })
    expect(await deprovision(serial('root', []))).toMatchObject({ state: 'done', path: 'root' })
  })

  it('unwinds a nested yield without calling later siblings at any level', async () => {
    const inner = serial('inner', [step('a', { provision: [wait] }), step('b')])
    const result = await provision(serial('root', [inner, step('c')]))
    expect(journal).toEqual(['+a'])
    expect(result).toMatchObject({ state: 'yield', path: 'root/inner/a' })
  })

  it("passes on the caller's own reason when it is aborted", async () => {
    const control = new AbortController()
    const reason = new Error('shutting down')
    const aborting = step('a', {
      provision: [
        async () => {
          control.abort(reason)
          throw new Error('something else')
        },
      ],
    })
    const root = serial('root', [aborting, step('b')])
    await expect(enter(root, 'provision', newPass({ signal: control.signal }))).rejects.toBe(reason)
    expect(journal).toEqual(['+a'])
  })
})

describe('a step', () => {
  it('is never entered twice at once: the second pass yields', async () => {
    let release = (): void => undefined
    const slow = step('slow', {
      provision: [
        async () => {
          await new Promise<void>((resolve) => {
            release = resolve
          })
          return wait
        },
      ],
    })
    const root = concurrent('root', [slow, slow])
    const first = provision(root)
    const second = await deprovision(slow)
    expect(second).toMatchObject({ state: 'yield', path: 'slow', reason: 'an earlier pass to leave this step' })
    release()
    await first
    expect(journal).toEqual(['+slow'])
    expect(await deprovision(slow)).toMatchObject({ state: 'done' })
  })
})
