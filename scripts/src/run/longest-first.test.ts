import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { longest, rankOf } from './longest-first.ts'

describe('the order of test files', () => {
  it.each(longest.map((path) => [path]))('begins with one that is there: %s', (path) => {
    expect(existsSync(new URL(`../../../${path}`, import.meta.url))).toBe(true)
  })

  it('puts the longest before all others, wherever the checkout lies', () => {
    const ranks = [...longest, 'packages/core/src/secret.test.ts'].map((path) => rankOf(`/some/where/${path}`))
    expect(ranks).toEqual([...ranks].sort((left, right) => left - right))
    expect(new Set(ranks).size).toBe(ranks.length)
  })
})
