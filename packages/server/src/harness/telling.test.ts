import { describe, expect, it } from 'vitest'
import { line, passedIn } from './telling.ts'

const target = { action: 'create', point: 'store create Release #1', victim: 'server' } as const

describe('what is told of a run', () => {
  it('is read again: the names of what passed, and of nothing else', () => {
    const told = (['passed', 'failed', 'unreached'] as const).map((end, at) =>
      line('kubernetes', { target: { ...target, point: `${end} #1` }, end, why: ['a reason'], ms: 12_345 }, at + 1, 10),
    )
    expect(passedIn(told.join('\n'))).toEqual(['create: passed #1: server'])
  })
})
