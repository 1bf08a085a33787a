import { describe, expect, it } from 'vitest'
import { readMapping, readSet } from './read-set.ts'

const configMap = (name: string, more = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`

const namesOf = (text: string): string[] => readSet(text).objects.map(({ kind, name }) => `${kind}/${name}`)

/** The field x of one object. */
function read(text: string): unknown {
  const { objects, issues } = readSet(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n${text}\n`)
  expect(issues).toEqual([])
  return objects[0]?.object.x
}

describe('a set', () => {
  it.each<[string, string, string[]]>([
    ['one document', configMap('a'), ['ConfigMap/a']],
    ['several', `${configMap('a')}---\n${configMap('b')}`, ['ConfigMap/a', 'ConfigMap/b']],
    [
      'empty ones between',
      `---\n---\n# nothing\n---\n${configMap('a')}---\n...\n---\n${configMap('b')}---\n`,
      ['ConfigMap/a', 'ConfigMap/b'],
    ],
    ['a written null', `null\n---\n${configMap('a')}`, ['ConfigMap/a']],
    ['JSON', '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}', ['Secret/s']],
    ['Windows lines', configMap('a').replaceAll('\n', '\r\n'), ['ConfigMap/a']],
    [
      'a List',
      'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n',
      ['Secret/s', 'ConfigMap/c'],
    ],
    [
      'a list of one kind, whose items do not say it again',
      'apiVersion: v1\nkind: ConfigMapList\nitems:\n- metadata: {name: a}\n- metadata: {name: b}\n',
      ['ConfigMap/a', 'ConfigMap/b'],
    ],
    [
      'a List in a List',
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: SecretList\n  items:\n  - metadata: {name: s}\n',
      ['Secret/s'],
    ],
    [
      'the same name in two namespaces',
      `${configMap('a', '  namespace: left\n')}---\n${configMap('a', '  namespace: right\n')}`,
      ['ConfigMap/a', 'ConfigMap/a'],
    ],
    [
      'the same kind and name of two groups',
      '{apiVersion: v1, kind: Service, metadata: {name: a}}\n---\n{apiVersion: serving.example/v1, kind: Service, metadata: {name: a}}\n',
      ['Service/a', 'Service/a'],
    ],
  ])('can be %s', (_, text, names) => {
    expect(readSet(text).issues).toEqual([])
    expect(namesOf(text)).toEqual(names)
  })

  it('knows the document and the line of each object', () => {
    const { objects } = readSet(`# first\n${configMap('a')}---\n---\n${configMap('b')}`)
    expect(objects.map(({ document, line }) => [document, line])).toEqual([
      [1, 2],
      [3, 8],
    ])
  })

  it.each<[string, string, { path: string; line: number; message: RegExp }]>([
    ['no YAML', `${configMap('a')}---\na: [1\n`, { path: 'source.manifests[doc 2]', line: 7, message: /./ }],
    [
      'a key twice',
      configMap('a', 'data:\n  x: "1"\n  x: "2"\n'),
      { path: 'source.manifests[doc 1]', line: 7, message: /x is there twice/ },
    ],
    [
      'a key twice, once in other words',
      configMap('a', 'data:\n  on: "1"\n  "true": "2"\n'),
      { path: 'source.manifests[doc 1]', line: 7, message: /true is there twice/ },
    ],
    ['a list', '- 1\n', { path: 'source.manifests[doc 1]', line: 1, message: /is no object/ }],
    ['no kind', 'apiVersion: v1\n', { path: 'source.manifests[doc 1]', line: 1, message: /no kind/ }],
    ['no apiVersion', 'kind: Pod\n', { path: 'source.manifests[doc 1] Pod/?', line: 1, message: /no apiVersion/ }],
    [
      'no name',
      'apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n',
      { path: 'source.manifests[doc 1] Pod/?', line: 1, message: /generateName/ },
    ],
    [
      'an object twice',
      `${configMap('a')}---\n${configMap('a')}`,
      { path: 'source.manifests[doc 2] ConfigMap/a', line: 6, message: /twice.*document 1, line 1/ },
    ],
    [
      'an object twice, in two versions',
      '{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler, metadata: {name: a}}\n---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}}\n',
      { path: 'source.manifests[doc 2] HorizontalPodAutoscaler/a', line: 3, message: /twice/ },
    ],
    [
      'a label of ours',
      configMap('a', '  labels: {gantry.dev/uid: x}\n'),
      { path: 'source.manifests[doc 1] ConfigMap/a', line: 1, message: /gantry\.dev\/uid/ },
    ],
    [
      'an annotation of ours',
      configMap('a', '  annotations: {gantry.dev/x: x}\n'),
      { path: 'source.manifests[doc 1] ConfigMap/a', line: 1, message: /gantry\.dev\/x/ },
    ],
    [
      'a wish that we do not know',
      configMap('a', '  annotations: {gantry.dev/conflicts: ignore}\n'),
      { path: 'source.manifests[doc 1] ConfigMap/a', line: 1, message: /can only be overwrite/ },
    ],
    ['nothing', '# nothing\n---\n', { path: 'source.manifests', line: 0, message: /no object/ }],
    ['a tag of its own', 'a: !vault x\n', { path: 'source.manifests[doc 1]', line: 1, message: /!vault/ }],
    ['an alias of nothing', 'a: *x\n', { path: 'source.manifests[doc 1]', line: 1, message: /./ }],
    ['an alias of itself', 'a: &x {b: *x}\n', { path: 'source.manifests[doc 1]', line: 1, message: /part of/ }],
    ['a key that is a list', '? [a]\n: 1\n', { path: 'source.manifests[doc 1]', line: 1, message: /not text/ }],
    ['a key of nothing', '~: 1\n', { path: 'source.manifests[doc 1]', line: 1, message: /not text/ }],
    ['infinity', 'a: .inf\n', { path: 'source.manifests[doc 1]', line: 1, message: /finite/ }],
    ['a prototype', '__proto__: {a: 1}\n', { path: 'source.manifests[doc 1]', line: 1, message: /__proto__/ }],
  ])('cannot be %s, and says where', (_, text, { path, line, message }) => {
    const [issue] = readSet(text).issues
    expect(issue).toMatchObject({ path, message: expect.stringMatching(message) })
    expect(issue?.line ?? 0).toBe(line)
  })

  it('cannot make much out of little', () => {
    const bomb = ['a: &a [1,1,1,1,1,1,1,1,1,1]', ...'bcdefgh'].map((line, at, all) =>
      at === 0 ? line : `${line}: &${line} [${Array(10).fill(`*${all[at - 1]?.[0]}`)}]`,
    )
    expect(readSet(bomb.join('\n')).issues[0]?.message).toMatch(/too much/)
    expect(readSet('['.repeat(200_000)).issues[0]?.message).toMatch(/deep/)
  })
})

describe('words, merges and tags mean what they mean to kubectl', () => {
  it.each<[string, unknown]>([
    ['x: {on: 1, 012: 2, 1.5: 3, "off": 4}', { true: 1, 10: 2, 1.5: 3, off: 4 }],
    ['x: [on, "on", 012, "012", 1e3, ~, ]', [true, 'on', 10, '012', 1000, null]],
    ['x:\n  <<: {a: 1, b: 2}\n  b: 3', { a: 1, b: 3 }],
    ['x:\n  b: 3\n  <<: {a: 1, b: 2}', { a: 1, b: 2 }],
    ['x:\n  <<: [{a: 1}, {a: 2, b: 2}]', { a: 1, b: 2 }],
    ['y: &q {a: 1}\nx: {<<: *q, c: 1}', { a: 1, c: 1 }],
    ['y: &q {a: 1}\nz: &r {a: 2, b: 2}\nx: {<<: [*q, *r]}', { a: 1, b: 2 }],
    ['y: &q [1, 2]\nx: *q', [1, 2]],
    ['x: {"<<": 1}', { '<<': 1 }],
    ['x: !!str 12', '12'],
    ['x: !!int "12"', 12],
    ['x: !!binary aGk=', 'hi'],
    ['x: !!bool yes', true],
    ['x: {a, b: }', { a: null, b: null }],
    ['x: |\n  on\n', 'on\n'],
    ['x: >-\n  012\n', '012'],
    ["x: 'it''s'", "it's"],
    ['x: 2001-01-01', '2001-01-01'],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(value)
  })
})

describe('one mapping', () => {
  it.each<[string, unknown, number]>([
    ['a: on\nb: {c: 012}\n', { a: true, b: { c: 10 } }, 0],
    ['', {}, 0],
    ['# nothing\n', {}, 0],
    ['- a\n', {}, 1],
    ['a: 1\n---\nb: 1\n', {}, 1],
    ['a: 1\na: 2\n', {}, 1],
  ])('%j', (text, value, wrong) => {
    const read = readMapping(text)
    expect(read.value).toEqual(value)
    expect(read.issues).toHaveLength(wrong)
  })
})
