import { describe, expect, it } from 'vitest'
import { checkServices } from '../../../testing/check-workload.ts'

describe('the services of a workload', () => {
  it.each<[string, object[], string[]]>([
    ['one main', [{ name: 'a' }], []],
    ['one main among others', [{ name: 'a' }, { name: 'b', role: 'sidecar' }, { name: 'c', role: 'init' }], []],
    ['no main', [{ name: 'a', role: 'sidecar' }], ['services']],
    [
      'two mains',
      [
        { name: 'a', role: 'main' },
        { name: 'b', role: 'main' },
      ],
      ['services[1].role'],
    ],
    [
      'two with an empty role',
      [
        { name: 'a', role: '' },
        { name: 'b', role: '' },
      ],
      ['services[1].role'],
    ],
    ['three without a role', [{ name: 'a' }, { name: 'b' }, { name: 'c' }], ['services[1].role', 'services[2].role']],
    ['a name twice', [{ name: 'a' }, { name: 'a', role: 'sidecar' }], ['services[1].name']],
  ])('%s', (_, services, paths) => {
    expect(checkServices(...services).map(([path]) => path)).toEqual(paths)
  })

  it('are told which one is main already', () => {
    expect(checkServices({ name: 'a' }, { name: 'b' })[0]?.[1]).toBe(
      'must be sidecar or init: "a" is main already, and an empty role means main',
    )
  })
})
