import { describe, expect, it } from 'vitest'
import { findKind, kindCalled, kinds, madeKinds, parseObject } from './registry.ts'

describe('kinds', () => {
  it('are found by every name that people have for them', () => {
    for (const word of ['Workload', 'workload', 'WORKLOADS', 'wl']) expect(findKind(word)).toBe(kinds.Workload)
  })

  it('have names that are nobody else’s', () => {
    const names = Object.values(kinds).flatMap(({ kind, plural, short }) => [kind.toLowerCase(), plural, short])
    expect(new Set(names).size).toBe(names.length)
    for (const [name, { kind }] of Object.entries(kinds)) expect(kind).toBe(name)
  })

  it.each([
    ['Worklod', /did you mean "Workload"/],
    ['Pod', /there are Tenant, Provider, Secret, Workload, Route, Release, Rollout, Instance/],
    ['constructor', /there is no kind "constructor"/],
    ['__proto__', /there is no kind/],
  ])('are not found as %s, with a hint', (word, message) => {
    expect(() => kindCalled(word)).toThrow(
      expect.objectContaining({ kind: 'invalid', reason: 'unknown_kind', message: expect.stringMatching(message) }),
    )
    expect(() => parseObject({ kind: word })).toThrow(expect.objectContaining({ reason: 'unknown_kind' }))
  })

  it.each(Object.keys(madeKinds))('that controllers make are not for files: %s', (kind) => {
    expect(() => parseObject({ apiVersion: 'gantry/v1', kind, metadata: { name: 'web-v1' }, spec: {} })).toThrow(
      expect.objectContaining({ kind: 'invalid', reason: 'kind_not_writable', issues: [expect.anything()] }),
    )
    expect(findKind(kind)?.madeBy).toBe('controllers')
  })

  it('are named exactly in a file, where a guess would hide a mistake', () => {
    expect(() => parseObject({ kind: 'workload' })).toThrow(
      expect.objectContaining({ message: expect.stringContaining('did you mean "Workload"') }),
    )
  })

  it.each([[null], ['text'], [[]], [{}], [{ kind: 1 }]])('must be said: %j', (value) => {
    expect(() => parseObject(value)).toThrow(
      expect.objectContaining({ reason: 'schema', issues: [expect.objectContaining({ path: 'kind' })] }),
    )
  })
})
