import { describe, expect, it } from 'vitest'
import { pageWith, sectionsOf } from './results-page.ts'

describe('the page of results', () => {
  const page = pageWith(
    '',
    new Map([
      ['one', '## one\n\nfirst\n'],
      ['two', '## two\n\nsecond\n'],
    ]),
    ['one', 'two'],
  )

  it('has a section for each benchmark, in their order', () => {
    expect([...sectionsOf(page)]).toEqual([
      ['one', '## one\n\nfirst\n'],
      ['two', '## two\n\nsecond\n'],
    ])
  })

  it('keeps what was not measured again, and forgets what is no more', () => {
    const next = pageWith(page, new Map([['three', '## three\n\nthird\n']]), ['three', 'two'])
    expect([...sectionsOf(next).keys()]).toEqual(['three', 'two'])
    expect(sectionsOf(next).get('two')).toBe('## two\n\nsecond\n')
  })

  it('is the same when it is written again', () => {
    expect(pageWith(page, new Map(), ['one', 'two'])).toBe(page)
  })
})
