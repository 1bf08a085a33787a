import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { onOtherNodes } from './selection.ts'

describe('what runs again on another Node', () => {
  it.each(onOtherNodes.filters.map((path) => [path]))('is there: %s', (path) => {
    expect(existsSync(new URL(`../../../${path}`, import.meta.url))).toBe(true)
  })

  it('is not what tries thousands of deaths', () => {
    const harness = 'packages/server/src/harness/harness.test.ts'
    expect(onOtherNodes.filters.some((path) => harness.includes(path))).toBe(false)
    expect(onOtherNodes.env.GANTRY_TEST_EXCLUDE.split(',')).toContain('**/crashes.test.ts')
  })
})
