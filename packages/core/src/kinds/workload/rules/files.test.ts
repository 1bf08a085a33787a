import { describe, expect, it } from 'vitest'
import { checkServices } from '../../../testing/check-workload.ts'

const volume = (name: string, path: string, more: object = {}) => ({ name, path, ...more })
const file = (name: string, path: string, more: object = {}) => ({ name, path, content: '', ...more })
const secret = (path: string) => ({ name: 's', key: 'k', file: path })

describe('what takes a place in the file system of a service', () => {
  it.each<[string, object, string[]]>([
    ['different places', { volumes: [volume('a', '/a'), volume('b', '/b')], configFiles: [file('c', '/c')] }, []],
    ['one inside the other', { volumes: [volume('a', '/a')], configFiles: [file('c', '/a/c')] }, []],
    ['two volumes at one path', { volumes: [volume('a', '/a'), volume('b', '/a')] }, ['volumes[1].path']],
    ['the same but for a slash', { volumes: [volume('a', '/a'), volume('b', '/a/')] }, ['volumes[1].path']],
    [
      'a file where a volume is',
      { volumes: [volume('a', '/a')], configFiles: [file('c', '/a')] },
      ['configFiles[0].path'],
    ],
    ['a secret where a file is', { configFiles: [file('c', '/c')], secrets: [secret('/c')] }, ['secrets[0].file']],
    ['a volume name twice', { volumes: [volume('a', '/a'), volume('a', '/b')] }, ['volumes[1].name']],
    ['a file name twice', { configFiles: [file('a', '/a'), file('a', '/b')] }, ['configFiles[1].name']],
    ['a host volume without a source', { volumes: [volume('a', '/a', { type: 'host' })] }, ['volumes[0].source']],
    ['a host volume with one', { volumes: [volume('a', '/a', { type: 'host', source: '/srv' })] }, []],
    ['a source where it means nothing', { volumes: [volume('a', '/a', { source: '/srv' })] }, ['volumes[0].source']],
    ['a volume of no size', { volumes: [volume('a', '/a', { size: 0 })] }, ['volumes[0].size']],
  ])('%s', (_, fields, paths) => {
    expect(checkServices({ name: 'web', ...fields }).map(([path]) => path)).toEqual(
      paths.map((path) => `services[0].${path}`),
    )
  })

  it('may be shared by services that mean the same volume, and only by those', () => {
    const other = (more: object) => ({ name: 'log', role: 'sidecar', volumes: [volume('data', '/logs', more)] })
    const web = { name: 'web', volumes: [volume('data', '/data', { size: '1Gi' })] }
    expect(checkServices(web, other({ size: '1024Mi' }))).toEqual([])
    expect(checkServices(web, other({ size: '2Gi' })).map(([path]) => path)).toEqual(['services[1].volumes[0]'])
    expect(checkServices(web, other({ size: '1Gi', type: 'memory' })).map(([path]) => path)).toEqual([
      'services[1].volumes[0]',
    ])
  })
})

describe('the content of a config file', () => {
  it.each<[string, string, RegExp | undefined]>([
    ['json', '{"a": [1]}', undefined],
    ['json', '{a: 1}', /not JSON/],
    ['json', '', /not JSON/],
    ['yaml', 'a: [1]\n---\nb: 2\n', undefined],
    ['yaml', 'a: [1\n', /not YAML.*line/],
    ['yaml', 'a: 1\na: 2\n', /not YAML.*line 2/],
    ['yaml', '['.repeat(2000), /not YAML/],
    ['env', 'A=1\n# note\n\nexport B="x y"\r\nC=\n', undefined],
    ['env', 'A=1\nnot an assignment\n', /line 2/],
    ['env', '=1', /line 1/],
    ['env', '1A=1', /line 1/],
    ['text', '{a: [', undefined],
  ])('as %s: %j', (format, content, message) => {
    const issues = checkServices({ name: 'web', configFiles: [file('a', '/a', { format, content })] })
    const expected = message && ['services[0].configFiles[0].content', expect.stringMatching(message)]
    expect(issues).toEqual(expected ? [expected] : [])
  })

  it('is not repeated when it is refused, because it may be secret', () => {
    for (const format of ['json', 'yaml', 'env']) {
      const content = 'hunter2: [hunter2'
      expect(
        JSON.stringify(checkServices({ name: 'web', configFiles: [file('a', '/a', { format, content })] })),
      ).not.toContain('hunter2')
    }
  })
})
