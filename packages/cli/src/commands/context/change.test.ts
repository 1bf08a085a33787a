import { describe, expect, it } from 'vitest'
import { renamed, used, without, withTenant } from './change.ts'

const prod = { server: 'https://prod.example', token: 'secret' }
const local = { server: 'http://127.0.0.1:7400' }
const before = { current: 'local', contexts: { local, prod } }

describe('contexts', () => {
  it('are used, renamed, forgotten, and given a tenant', () => {
    expect(used(before, 'prod')).toEqual({ ...before, current: 'prod' })
    expect(renamed(before, 'local', 'here')).toEqual({ current: 'here', contexts: { prod, here: local } })
    expect(renamed(before, 'prod', 'live')).toEqual({ current: 'local', contexts: { local, live: prod } })
    expect(without(before, 'prod')).toEqual({ current: 'local', contexts: { local } })
    expect(without(before, 'local')).toEqual({ contexts: { prod } })
    expect(withTenant(before, undefined, 'acme').contexts.local).toEqual({ ...local, tenant: 'acme' })
    expect(withTenant(before, 'prod', 'acme').contexts.prod).toEqual({ ...prod, tenant: 'acme' })
  })

  it.each([
    ['one that there is not', () => used(before, 'prd'), /did you mean "prod"\?/],
    ['a name that is taken', () => renamed(before, 'local', 'prod'), /already/],
    ['a name with blanks', () => renamed(before, 'local', 'a b'), /no blanks/],
    ['what every object inherits', () => used(before, 'constructor'), /There is no context/],
    ['none where none is used', () => withTenant({ contexts: {} }, undefined, 'acme'), /No context is used/],
    ['what is no tenant', () => withTenant(before, undefined, 'Not A Name'), /is no name of a tenant/],
  ])('refuse %s', (_, change, said) => {
    expect(change).toThrow(said)
  })
})
