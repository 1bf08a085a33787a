import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatPath, type NamedPath, parsePath } from './path.ts'

describe('a path', () => {
  it.each<[NamedPath, string]>([
    [[], ''],
    [['spec', 'services', 0, 'ports', 1, 'name'], 'spec.services[0].ports[1].name'],
    [['metadata', 'labels', 'example.com/team'], 'metadata.labels["example.com/team"]'],
    [[0, 'a'], '[0].a'],
    [['env', ''], 'env[""]'],
    [['env', '0'], 'env["0"]'],
    [['spec', 'services', { name: 'web' }, 'image'], 'spec.services[web].image'],
  ])('%j is written %s', (path, text) => {
    expect(formatPath(path)).toBe(text)
  })

  it('can be read again, whatever its keys are', () => {
    const part = fc.oneof(fc.nat(1000), fc.string(), fc.constantFrom('spec', 'a-b', 'a.b', '"', '\\', ']'))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path)
      }),
      { numRuns: 500 },
    )
  })
})
