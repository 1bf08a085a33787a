import { describe, expect, it } from 'vitest'
import { selectionOn } from './selection.ts'

const nodes = ['22.23.3', '24.21.0']

describe('what runs again on another Node', () => {
  it('is all that is shipped on the newest', () => {
    expect(selectionOn('24.21.0', nodes).slice(0, 3)).toEqual(['packages/', 'examples/', 'bench/'])
  })

  it('is what is close to Node in between, and all where it is the only one', () => {
    expect(selectionOn('22.23.3', nodes)).toContain('packages/store/')
    expect(selectionOn('22.23.3', nodes)).not.toContain('packages/')
    expect(selectionOn('22.23.3', ['22.23.3'])).toContain('packages/')
  })

  it.each(nodes)('is never what tries thousands of deaths (%s)', (node) => {
    const chosen = selectionOn(node, nodes)
    expect(chosen[chosen.indexOf('**/harness/harness.test.ts') - 1]).toBe('--exclude')
  })
})
