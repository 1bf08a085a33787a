import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { MemoryResources } from '../testing/memory-resources.ts'
import { ScriptedStep } from '../testing/scripted-step.ts'
import { conditional } from './conditional.ts'
import { enter } from './enter.ts'
import { newPass } from './provisioner.ts'
import { resource } from './resource.ts'

const call = { signal: new AbortController().signal }
const broken = new Fault('engine_unreachable', 'cut off')

describe('conditional', () => {
  it.each([
    ['provision', true, undefined, '+x', 'done'],
    ['provision', true, broken, '+x', 'transient'],
    ['provision', false, undefined, '-x', 'done'],
    ['provision', false, broken, '-x', 'transient'],
    ['deprovision', true, undefined, '-x', 'done'],
    ['deprovision', true, broken, '-x', 'transient'],
    ['deprovision', false, undefined, '-x', 'done'],
    ['deprovision', false, broken, '-x', 'transient'],
  ] as const)(
    '%s with the condition %s and a child that answers %s calls %s and is %s',
    async (verb, on, error, called, state) => {
      const journal: string[] = []
      const answers = error ? [error] : []
      const child = new ScriptedStep('x', journal, { provision: answers, deprovision: answers })
      const result = await enter(
        conditional('feature', () => on, child),
        verb,
        newPass(call),
      )
      expect(journal).toEqual([called])
      expect(result.state).toBe(state)
      if (error) expect(result.path).toBe('feature/x')
    },
  )

  it('does not ask its condition when it is taken down', async () => {
    const asked = conditional(
      'feature',
      () => {
        throw new Error('asked')
      },
      new ScriptedStep('x'),
    )
    expect(await enter(asked, 'deprovision', newPass(call))).toMatchObject({ state: 'done' })
  })

  it('leaves nothing when it is switched off and its owner then deleted in the middle of that', async () => {
    const world = new MemoryResources({ removalPasses: 2 })
    let on = true
    const tree = () =>
      conditional('feature', () => on, resource({ name: 'x', id: 'x', driver: world, desired: { size: 1 } }))
    expect(await enter(tree(), 'provision', newPass(call))).toMatchObject({ state: 'done' })
    on = false
    expect(await enter(tree(), 'provision', newPass(call))).toMatchObject({ state: 'yield', path: 'feature/x' })
    while ((await enter(tree(), 'deprovision', newPass(call))).state !== 'done') expect(world.size).toBe(1)
    expect(world.size).toBe(0)
  })
})
