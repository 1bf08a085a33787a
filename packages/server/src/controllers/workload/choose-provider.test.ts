import { describe, expect, it } from 'vitest'
import { provider } from '../testing/samples.ts'
import { chooseProvider } from './choose-provider.ts'

const names = (...all: string[]) => all.map((name) => provider(name))

describe('the provider of a workload', () => {
  it.each<[string, string[], string | undefined, string | undefined, string]>([
    ['the one that is named', ['local', 'there'], 'there', undefined, 'there'],
    ['the named one, although it runs elsewhere now', ['local', 'there'], 'there', 'local', 'there'],
    ['the only one', ['there'], undefined, undefined, 'there'],
    ['where it is already, although another would do', ['a', 'there'], undefined, 'there', 'there'],
    ['the only one, if where it was is no more', ['a'], undefined, 'there', 'a'],
  ])('is %s', (_, there, named, current, chosen) => {
    expect(chooseProvider(names(...there), { tenant: 'shop', named, current })).toBe(chosen)
  })

  it('is the default one, unless it is named or runs elsewhere already', () => {
    const [a, b] = [provider('a'), provider('b')]
    const all = [a, { ...b, spec: { ...b.spec, default: true } }]
    const choose = (named?: string, current?: string) => chooseProvider(all, { tenant: 'shop', named, current })
    expect([choose(), choose('a'), choose(undefined, 'a')]).toEqual(['b', 'a', 'a'])
  })

  it.each<[string, string[], string | undefined, RegExp]>([
    ['there is none', [], undefined, /there is none at all, so make one/],
    ['several would do', ['a', 'b'], undefined, /names none, and there is no default.*there are a, b/],
    ['it is not there', ['a'], 'b', /There is no provider "b" for tenant "shop"; there are a/],
  ])('is not found if %s', (_, there, named, message) => {
    const choose = () => chooseProvider(names(...there), { tenant: 'shop', named, current: undefined })
    expect(choose).toThrow(
      expect.objectContaining({ reason: 'provider_not_found', message: expect.stringMatching(message) }),
    )
  })

  it('is never one that is for others', () => {
    const choose = () => chooseProvider([provider('a', ['bank'])], { tenant: 'shop', named: 'a', current: 'a' })
    expect(choose).toThrow(expect.objectContaining({ reason: 'provider_not_found' }))
  })
})
