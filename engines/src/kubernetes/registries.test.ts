import { describe, expect, it } from 'vitest'
import { registryOf } from './registries.ts'

describe('the way to registries of this machine', () => {
  it.each([
    ['/v2/a/manifests/1?ns=127.0.0.1:5001', 'http://127.0.0.1:5001/v2/a/manifests/1'],
    ['/v2/a/tags/list?n=3&ns=localhost:5001', 'http://localhost:5001/v2/a/tags/list?n=3'],
    ['/v2/a/manifests/1?ns=docker.io', undefined],
    ['/v2/a/manifests/1?ns=10.0.0.1:5001', undefined],
    ['/v2/a/manifests/1', undefined],
  ])('leads %s to %s', (url, target) => {
    expect(registryOf(url)?.href).toBe(target)
  })
})
