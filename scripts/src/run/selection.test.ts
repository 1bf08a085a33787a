import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { onOtherNodes } from './selection.ts'

const chosen = onOtherNodes.slice(0, onOtherNodes.indexOf('--exclude'))

describe('what runs again on another Node', () => {
  it.each(chosen.map((path) => [path]))('is there: %s', (path) => {
    expect(existsSync(new URL(`../../../${path}`, import.meta.url))).toBe(true)
  })

  it('is not what tries thousands of deaths', () => {
    expect(chosen.some((path) => 'packages/server/src/harness/harness.test.ts'.includes(path))).toBe(false)
    expect(onOtherNodes[onOtherNodes.indexOf('**/crashes.test.ts') - 1]).toBe('--exclude')
  })
})
