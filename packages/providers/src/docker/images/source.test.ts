import { describe, expect, it } from 'vitest'
import { sourceOf } from './source.ts'

const id = `sha256:${'a'.repeat(64)}`
const exact = `web@sha256:${'b'.repeat(64)}`

const rows: readonly [string, Parameters<typeof sourceOf>[0], ReturnType<typeof sourceOf>][] = [
  ['a tag', { image: 'web:1' }, { meant: 'web:1', pulled: 'web:1', isExact: false }],
  ['a digest', { image: exact }, { meant: exact, pulled: exact, isExact: true }],
  ['an id', { image: id }, { meant: id, isExact: true }],
  ['a tag that meant a digest', { image: 'web:1', pinned: exact }, { meant: exact, pulled: exact, isExact: true }],
  ['a tag that meant an id', { image: 'web:1', pinned: id }, { meant: id, pulled: 'web:1', isExact: true }],
]

describe('where an image comes from', () => {
  it.each(rows)('for %s', (_what, want, source) => {
    expect(sourceOf(want)).toEqual(source)
  })
})
