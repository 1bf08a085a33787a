import { describe, expect, it } from 'vitest'
import { checkServices } from '../../../testing/check-workload.ts'

describe('resources', () => {
  it.each<[string, object, string[]]>([
    [
      'requests as large as the limits',
      { resources: { cpu: 1, memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } },
      [],
    ],
    ['requests without limits', { requests: { cpu: 64 } }, []],
    ['limits without requests', { resources: { cpu: 64 } }, []],
    ['a request above its limit', { resources: { cpu: '250m' }, requests: { cpu: '251m' } }, ['requests.cpu']],
    ['another', { resources: { memory: '1G' }, requests: { memory: '1Gi' } }, ['requests.memory']],
    [
      'a limit of nothing',
      { resources: { cpu: 0, memory: '0Mi', disk: '0.0' } },
      ['resources.cpu', 'resources.memory', 'resources.disk'],
    ],
  ])('%s', (_, fields, paths) => {
    expect(checkServices({ name: 'web', ...fields }).map(([path]) => path)).toEqual(
      paths.map((path) => `services[0].${path}`),
    )
  })
})
