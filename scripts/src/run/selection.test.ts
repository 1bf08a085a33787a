import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { selectionFor } from './selection.ts'

describe('what runs again on another Node', () => {
  const versions = ['22.1.0', '24.1.0'].map(selectionFor)
  const paths = [...new Set(versions.flatMap(({ filters }) => filters))]

  it.each(paths.map((path) => [path]))('is there: %s', (path) => {
    expect(existsSync(new URL(`../../../${path}`, import.meta.url))).toBe(true)
  })

  it('is not what tries thousands of deaths', () => {
    const harness = 'packages/server/src/harness/harness.test.ts'
    expect(paths.some((path) => harness.includes(path))).toBe(false)
    for (const { env } of versions) expect(env.GANTRY_TEST_EXCLUDE.split(' ')).toContain('**/crashes.test.ts')
  })

  it('is a part of that on a version between two others', () => {
    const [between, newest] = versions.map(({ filters }) => filters)
    expect(between?.filter((path) => !newest?.some((whole) => path.startsWith(whole)))).toEqual([])
    expect(newest?.filter((path) => !between?.includes(path))).not.toEqual([])
  })
})
