import { describe, expect, it } from 'vitest'
import { provider } from '../testing/samples.ts'
import { chooseProvider } from './choose-provider.ts'

const names = (...all: string[]) => all.map((name) => provider(name))

describe('the provider of a workload', () => {
  it.each<[string, string[], string | undefined, string | undefined, string]>([
    ['the one that is named', ['local', 'there'], 'there', undefined, 'there'],
    ['the named one, although it runs elsewhere now', ['local', 'there'], 'there', 'local', 'there'],
    ['the only one', ['there'], undefined, undefined, 'there'],
    ['the one called default', ['default', 'local'], undefined, undefined, 'default'],
    ['the local one', ['a', 'local'], undefined, undefined, 'local'],
    ['where it is already, whatever the default is now', ['default', 'there'], undefined, 'there', 'there'],
    ['the default, if where it was is no more', ['default'], undefined, 'there', 'default'],
  ])('is %s', (_, there, named, current, chosen) => {
    expect(chooseProvider(names(...there), { tenant: 'shop', named, current })).toBe(chosen)
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
