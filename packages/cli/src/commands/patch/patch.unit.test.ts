import { describe, expect, it } from 'vitest'
import { plain } from '../../output/style.ts'
import { changeLines } from './change-lines.ts'
import { readPatch } from './read-patch.ts'

describe('a patch', () => {
  it.each([
    ['{"spec":{"replicas":3,"engine":null}}', { spec: { replicas: 3, engine: null } }],
    ['spec: {replicas: 3}', { spec: { replicas: 3 } }],
    ['{spec: {replicas: 3}}', { spec: { replicas: 3 } }],
    ['metadata:\n  labels:\n    team: ~\n', { metadata: { labels: { team: null } } }],
  ])('%j is JSON or YAML', async (text, value) => {
    expect(await readPatch(text)).toEqual(value)
  })

  it.each([
    ['', 'must be a part of an object'],
    ['3', 'must be a part of an object'],
    ['[1]', 'must be a part of an object'],
    ['{"a"', 'cannot be read'],
    ['a: b: c', 'cannot be read'],
    ['a: &x 1\nb: *x', 'cannot be read'],
  ])('is not %j', async (text, words) => {
    await expect(readPatch(text)).rejects.toThrow(words)
  })

  it('is shown as what it changes, a line for each field', () => {
    const step = { action: 'update' as const, object: { kind: 'Workload', name: 'web' }, reverts: [], engine: [] }
    const changes = [
      { path: 'spec.replicas', op: 'replace' as const, old: 2, new: 3 },
      { path: 'metadata.labels.team', op: 'add' as const, new: 'web' },
      { path: 'spec.engine', op: 'remove' as const, old: { a: 'x'.repeat(200) } },
    ]
    const text = changeLines('workload/web', [{ ...step, changes, restarts: ['nothing restarts'] }], plain)
    expect(text.split('\n').slice(0, 3)).toEqual([
      'workload/web would change',
      '  ~ spec.replicas: 2 → 3',
      '  + metadata.labels.team: web',
    ])
    expect(text).toMatch(/\n {2}- spec\.engine: \{"a":"x+…\n {2}nothing restarts\n$/)
    expect(changeLines('workload/web', [{ ...step, changes: [], restarts: [] }], plain)).toBe(
      'workload/web would stay as it is\n',
    )
  })
})
