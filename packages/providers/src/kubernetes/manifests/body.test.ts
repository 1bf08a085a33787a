import { describe, expect, it } from 'vitest'
import { type BodyOptions, bodyOf } from './body.ts'
import { readSet } from './read/read-set.ts'

const options: BodyOptions = {
  namespace: 'n',
  usual: { team: 'us', a: 'us' },
  owner: { owner: 'gantry' },
  run: 'running',
}

function body(text: string, more: Partial<BodyOptions> = {}) {
  const [one] = readSet(text).objects
  if (!one) throw new Error('nothing was read')
  return bodyOf(one, { ...options, ...more })
}

const of = (kind: string, spec: object, meta: object = {}): string =>
  JSON.stringify({ apiVersion: kinds[kind] ?? 'v1', kind, metadata: { name: 'x', ...meta }, spec })
const kinds: Record<string, string> = { Deployment: 'apps/v1', DaemonSet: 'apps/v1', CronJob: 'batch/v1' }

describe('what is applied', () => {
  it('is what its author wrote, with our labels, in its place', () => {
    const made = body(of('ConfigMap', {}, { labels: { a: 'theirs', owner: 'me' }, annotations: { b: 'c' } }))
    expect(made?.object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'x',
        namespace: 'n',
        labels: { team: 'us', a: 'theirs', owner: 'gantry' },
        annotations: { b: 'c' },
      },
      spec: {},
    })
    expect(made).toMatchObject({ force: false, adopt: false })
  })

  it('is nothing that only a server can say', () => {
    const text = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'x',
        uid: 'u',
        resourceVersion: '1',
        generation: 2,
        creationTimestamp: null,
        managedFields: [],
      },
      status: { a: 1 },
    })
    expect(body(text)?.object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x', namespace: 'n', labels: { team: 'us', a: 'us', owner: 'gantry' } },
    })
  })

  it('has the same hash for the same content, in whatever order it was written', () => {
    const hash = (text: string) => body(text)?.hash
    const yaml = 'kind: ConfigMap\nmetadata: {name: x}\napiVersion: v1\nspec: {}\n'
    expect(hash(yaml)).toBe(hash(of('ConfigMap', {})))
    expect(hash(of('ConfigMap', { a: 1 }))).not.toBe(hash(of('ConfigMap', {})))
  })

  it('takes from others, and adopts, only where its author says so', () => {
    const meta = { annotations: { 'gantry.dev/conflicts': 'overwrite', 'gantry.dev/existing': 'adopt' } }
    expect(body(of('ConfigMap', {}, meta))).toMatchObject({ force: true, adopt: true })
  })

  it.each<[string, object, object | undefined]>([
    ['Deployment', { replicas: 3, a: 1 }, { replicas: 0, a: 1 }],
    ['CronJob', {}, { suspend: true }],
    ['DaemonSet', {}, undefined],
    ['Pod', {}, undefined],
    ['Service', { a: 1 }, { a: 1 }],
  ])('is at rest while the workload is stopped: %s', (kind, spec, rest) => {
    const made = body(of(kind, spec), { run: 'stopped' })
    expect(made?.object.spec).toEqual(rest)
    // Whoever scales it meanwhile must not keep it from being stopped.
    if (made) expect(made.force).toBe(kind !== 'Service')
  })

  it('has a mark in its pods after a restart, and only where there are some', () => {
    const template = { metadata: { annotations: { a: 'b' } }, spec: {} }
    expect(body(of('Deployment', { template }), { restart: 'now' })?.object.spec).toEqual({
      template: { metadata: { annotations: { a: 'b', 'gantry.dev/restart': 'now' } }, spec: {} },
    })
    expect(body(of('Service', { template }), { restart: 'now' })?.object.spec).toEqual({ template })
  })
})
