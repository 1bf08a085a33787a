import { describe, expect, it } from 'vitest'
import { resources } from '../../api/resources.ts'
import { contentOf, mostObjects, recordIn } from './content.ts'
import { type Entry, type SetRecord, shownNames } from './record.ts'

const record = (entries: readonly Entry[]): SetRecord => ({
  ref: { tenant: 't', workload: 'w', uid: 'u', slot: 'a' },
  namespace: 'n',
  release: 'r1',
  specHash: 'h',
  run: 'running',
  applied: true,
  restart: 'again',
  entries,
})

const entry = (at: number): Entry => ({
  resource: resources.configMap,
  namespace: 'a-namespace-with-a-rather-long-name-for-a-tenant',
  name: `a-name-that-is-about-as-long-as-names-are-${at}`,
  // As little alike as real ones.
  uid: `${at}-${Math.imul(at, 2654435761).toString(16)}-${Math.imul(at, 40503).toString(16)}-abcd`,
  applied: Math.imul(at + 1, 2246822519)
    .toString(16)
    .padStart(16, '0'),
  owned: Math.imul(at + 1, 3266489917)
    .toString(16)
    .padStart(16, '0'),
})

describe('the record of a set', () => {
  it.each([0, 1, 3, 2000])('of %i objects is read as it was written', (count) => {
    const written = record([
      ...Array.from({ length: count }, (_, at) => entry(at)),
      { resource: resources.namespace, name: 'x', leaving: true },
      { resource: resources.secret, name: 'x', namespace: 'n', adopted: true },
    ])
    const object = contentOf('name', written, 'inst')
    const read = recordIn(object, 'inst')
    expect({ ...read, entries: new Set(read?.entries) }).toEqual({ ...written, entries: new Set(written.entries) })
  })

  it('of the largest set fits into a ConfigMap, which holds one MiB', () => {
    const object = contentOf('name', record(Array.from({ length: mostObjects }, (_, at) => entry(at))), 'inst')
    expect(JSON.stringify(object).length).toBeLessThan(700_000)
  })

  it('of another installation, or of something else, is none', () => {
    const object = contentOf('name', record([entry(1)]), 'inst')
    expect(recordIn(object, 'other')).toBeUndefined()
    const { 'gantry.dev/set': _, ...labels } = object.metadata.labels ?? {}
    expect(recordIn({ ...object, metadata: { ...object.metadata, labels } }, 'inst')).toBeUndefined()
  })

  it('that was damaged is not guessed at', () => {
    const object = contentOf('name', record([entry(1)]), 'inst')
    expect(() => recordIn({ ...object, data: { set: '{' } }, 'inst')).toThrow(
      expect.objectContaining({ reason: 'bad_answer', message: expect.stringContaining('n/name') }),
    )
  })
})

describe('how objects are called', () => {
  it('is by kind and name, with the namespace or the group where they are needed', () => {
    const other = { ...resources.service, group: 'serving.example' }
    const entries: Entry[] = [
      { resource: resources.deployment, namespace: 'home', name: 'web' },
      { resource: resources.deployment, namespace: 'away', name: 'web' },
      { resource: resources.service, namespace: 'home', name: 'web' },
      { resource: other, namespace: 'home', name: 'web' },
      { resource: resources.namespace, name: 'away' },
    ]
    expect([...shownNames(entries, 'home').values()]).toEqual([
      'deployment/web',
      'away.deployment/web',
      'service/web',
      'service.serving.example/web',
      'namespace/away',
    ])
  })
})
