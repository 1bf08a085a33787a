import { hashOf, Secret } from '@gantry/core'
import { expect, it } from 'vitest'
import { contentHash } from './content-hash.ts'

it('is the beginning of the hash that is the same everywhere, whatever order keys have', () => {
  const content = { b: [1, null, 'é\u{1f600}'], a: { y: undefined, x: true } }
  expect(contentHash(content)).toBe(hashOf(content).slice(0, 32))
  expect(contentHash({ a: { x: true }, b: [1, null, 'é\u{1f600}'] })).toBe(contentHash(content))
})

it('is refused for a secret, which it would show', () => {
  expect(() => contentHash({ token: new Secret('s3cret') })).toThrow()
})
