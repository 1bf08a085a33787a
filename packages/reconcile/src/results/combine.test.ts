import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { combine, under } from './combine.ts'
import { couldNotLook, failed } from './from-error.ts'
import { done, type Result, waiting } from './result.ts'

const yielding = waiting('y', 'pods')
const transient = failed('t', new Fault('engine_unreachable', 'cut off'))
const permanent = failed('p', new Fault('schema', 'no'))

describe('many results as one', () => {
  it.each<[string, Result[], string]>([
    ['nothing', [], 'done'],
    ['all done', [done('a'), done('b')], 'done'],
    ['a yield among the done', [done('a'), yielding], 'yield'],
    ['a transient fault and a yield', [yielding, transient], 'transient'],
    ['a permanent fault and all others', [done('a'), yielding, transient, permanent], 'permanent'],
  ])('of %s report the worst, in either order', (_, results, state) => {
    expect(combine('', results).state).toBe(state)
    expect(combine('', results.toReversed()).state).toBe(state)
  })

  it('report the first of equally bad ones', () => {
    expect(combine('', [yielding, waiting('z', 'disks')])).toMatchObject({ path: 'y' })
  })

  it('keep every part, also through levels', () => {
    const inner = under('inner', combine('', [transient, done('a')]))
    const outer = under('outer', combine('', [yielding, inner]))
    expect(outer.path).toBe('outer/inner/t')
    expect(outer.parts?.map(({ path }) => path)).toEqual(['outer/y', 'outer/inner/t', 'outer/inner/a'])
  })

  it('keep what any of them referred to', () => {
    const secret = { kind: 'Secret', tenant: 'acme', name: 'token' }
    const provider = { kind: 'Provider', name: 'local' }
    const result = combine('', [
      { ...permanent, references: [secret] },
      { ...done(), references: [provider] },
    ])
    expect(result.references).toEqual([secret, provider])
    expect(combine('', [done()])).not.toHaveProperty('references')
  })
})

describe('what was thrown', () => {
  it.each([
    [new Fault('engine_unreachable', ''), 'transient'],
    [new Fault('version_conflict', ''), 'transient'],
    [new Fault('schema', ''), 'permanent'],
    [new Fault('field_unsupported', ''), 'permanent'],
    [new TypeError('bug'), 'transient'],
    ['a string', 'transient'],
  ])('%o is %s', (error, state) => {
    expect(failed('', error).state).toBe(state)
  })

  it('while looking is blindness only if nothing was learnt', () => {
    expect(couldNotLook('', new Fault('engine_unreachable', ''))).toMatchObject({ blind: true })
    expect(couldNotLook('', new Fault('deadline_exceeded', ''))).toMatchObject({ blind: true })
    expect(couldNotLook('', new Fault('schema', ''))).toMatchObject({ state: 'permanent' })
    expect(couldNotLook('', new Fault('version_conflict', ''))).not.toHaveProperty('blind')
  })
})
