import { describe, expect, it } from 'vitest'
import { CachedRow, RowCache } from './row-cache.ts'

const row = (text = '{}') => new CachedRow(text, null)

describe('rows that were looked at lately', () => {
  it('are the same again, until they are forgotten', () => {
    const cache = new RowCache()
    const one = row()
    cache.keep('one', one)
    expect(cache.get('one')).toBe(one)
    cache.forget('one')
    expect(cache.get('one')).toBeUndefined()
  })

  it('are forgotten also where they were used long ago', () => {
    const cache = new RowCache()
    cache.keep('one', row())
    for (let at = 0; at < 1000; at += 1) cache.keep(`other-${at}`, row())
    expect(cache.get('one')).toBeDefined()
    cache.forget('one')
    expect(cache.get('one')).toBeUndefined()
  })

  it('stay while they are used, and make room when they are not', () => {
    const cache = new RowCache()
    cache.keep('used', row())
    cache.keep('unused', row())
    for (let at = 0; at < 5000; at += 1) {
      cache.keep(`other-${at}`, row())
      if (at % 100 === 0) cache.get('used')
    }
    expect([cache.get('used'), cache.get('unused'), cache.get('other-0')]).toEqual([row(), undefined, undefined])
  })

  it('make room by their size as well', () => {
    const cache = new RowCache()
    for (let at = 0; at < 10; at += 1) cache.keep(`large-${at}`, row('x'.repeat(1_000_000)))
    const left = Array.from({ length: 10 }, (_, at) => cache.get(`large-${at}`)).filter((one) => one !== undefined)
    expect(left.length).toBeLessThanOrEqual(5)
    expect(cache.get('large-9')).toBeDefined()
  })

  it('are all gone at once', () => {
    const cache = new RowCache()
    cache.keep('one', row())
    cache.clear()
    expect(cache.get('one')).toBeUndefined()
  })
})
