import { describe, expect, it } from 'vitest'
import type { AnyObject } from '../../objects/access.ts'
import { faceCalled } from '../../objects/targets.ts'
import { type Doomed, inOrder, isYes, onlyForWorkloads, outcome, question, refusal } from './plan.ts'

const doomed = (kind: string, name: string, tenant = 'default'): Doomed => ({ face: faceCalled(kind), name, tenant })
const flags = {
  filename: [] as string[],
  'env-file': [],
  var: [],
  selector: undefined,
  all: false,
  yes: false,
  wait: false,
  volumes: false,
  abandon: false,
  why: undefined,
  'ignore-not-found': false,
  'dry-run': false,
}

describe('what is to be deleted', () => {
  it('is named, chosen, or in a file: one of them', () => {
    expect(refusal([], flags)).toContain('What is to be deleted?')
    expect(refusal(['wl/web'], flags)).toBeUndefined()
    expect(refusal([], { ...flags, filename: ['a.yaml'] })).toBeUndefined()
    for (const more of [{ all: true }, { selector: 'a=b' }]) {
      expect(refusal([], { ...flags, filename: ['a.yaml'], ...more })).toContain('Either')
    }
    expect(refusal(['wl/web'], { ...flags, filename: ['a.yaml'] })).toContain('Either')
    expect(refusal(['wl/web'], { ...flags, why: 'so' })).toContain('goes with --abandon')
  })

  it('has volumes and engines only as a workload', () => {
    const both = [doomed('wl', 'web'), doomed('rt', 'shop')]
    expect(() => onlyForWorkloads(both, { volumes: true, abandon: false })).toThrow('--volumes is for workloads')
    expect(() => onlyForWorkloads(both, { volumes: false, abandon: true })).toThrow('--abandon is for workloads')
    expect(() => onlyForWorkloads(both, flags)).not.toThrow()
    expect(() => onlyForWorkloads([doomed('wl', 'web')], { volumes: true, abandon: true })).not.toThrow()
  })

  it('goes before what it refers to', () => {
    const order = inOrder([
      doomed('tn', 'acme'),
      doomed('sec', 's'),
      doomed('wl', 'a'),
      doomed('rt', 'r'),
      doomed('wl', 'b'),
    ])
    expect(order.map(({ face, name }) => `${face.short}/${name}`)).toEqual(['rt/r', 'wl/a', 'wl/b', 'sec/s', 'tn/acme'])
  })

  it('is asked about where more goes than was named, or data does', () => {
    const some = [doomed('wl', 'web')]
    expect(question(some, true, flags)).toBeUndefined()
    expect(question([], false, flags)).toBeUndefined()
    expect(question(some, false, flags)).toBe('Delete workload/web of tenant default? [y/N] ')
    expect(question(some, true, { volumes: true, abandon: false })).toContain('with all data in their volumes')
    expect(question(some, true, { volumes: false, abandon: true })).toContain('leaving on the engine what is there')
    const many = Array.from({ length: 7 }, (_, at) => doomed('wl', `w${at}`))
    expect(question(many, false, flags)).toContain('workload/w4 and 2 more of tenant default')
  })

  it('is deleted by a yes and by nothing else', () => {
    expect(['y', 'Y', 'yes', ' YES '].map(isYes)).toEqual([true, true, true, true])
    expect(['', 'n', 'no', 'yep', 'ja'].map(isYes)).toEqual([false, false, false, false, false])
  })

  it('is gone at once where nothing holds it', () => {
    const object = (finalizers: string[]) => ({ metadata: { finalizers } }) as unknown as AnyObject
    expect(outcome(object([]))).toBe('deleted')
    expect(outcome(object(['gantry.dev/engine']))).toBe('is being deleted')
  })
})
