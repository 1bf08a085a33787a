import { describe, expect, it } from 'vitest'
import {
  call,
  create,
  freshTenant,
  type MakeSubject,
  made,
  refused,
  replace,
  sharedStore,
  system,
  write,
} from './subject.ts'

export function objectsContract(make: MakeSubject): void {
  describe('objects', () => {
    const store = sharedStore(make, { ageFields: () => ['lookedAt'] })

    it('are read as they were written, with the envelope filled in', async () => {
      const { key } = freshTenant()
      const draft = {
        spec: { a: [1, { b: 'ü\u0000"' }] },
        labels: { team: 'web' },
        annotations: { note: 'x' },
        finalizers: ['f'],
      }
      const written = await made(store(), key('one'), draft)
      expect(written).toMatchObject({
        apiVersion: 'gantry/v1',
        kind: 'Thing',
        spec: draft.spec,
        status: {},
        metadata: {
          name: 'one',
          labels: { team: 'web' },
          annotations: { note: 'x' },
          generation: 1,
          finalizers: ['f'],
          ownerRefs: [],
        },
      })
      expect(await store().read(system, key('one'), call)).toEqual(written)
    })

    it('are read as they are after every write, however often they were read before', async () => {
      const { key } = freshTenant()
      await made(store(), key('one'), { spec: { size: 1 } })
      for (const size of [2, 3, 4]) {
        const before = await store().read(system, key('one'), call)
        await write(store(), replace(key('one'), { size }))
        expect(before?.spec).toEqual({ size: size - 1 })
        expect((await store().read(system, key('one'), call))?.spec).toEqual({ size })
      }
      await write(store(), { op: 'delete', key: key('one') })
      expect(await store().read(system, key('one'), call)).toBeUndefined()
    })

    it('cannot be changed by those who read them, since others may read the same', async () => {
      const { key } = freshTenant()
      await made(store(), key('one'), { spec: { list: [{ size: 1 }] } })
      const read = (await store().read(system, key('one'), call)) as { spec: { list: { size: number }[] } } | undefined
      expect(() => read?.spec.list.push({ size: 2 })).toThrow(TypeError)
      expect((await store().read(system, key('one'), call))?.spec).toEqual({ list: [{ size: 1 }] })
    })

    it('that are not there are absent, not an error', async () => {
      const { key } = freshTenant()
      expect(await store().read(system, key('none'), call)).toBeUndefined()
      expect(await store().read(system, { kind: 'a\u0000b', name: '../x' }, call)).toBeUndefined()
    })

    it('are made once', async () => {
      const { key } = freshTenant()
      const first = await made(store(), key('one'))
      await expect(made(store(), key('one'), { spec: { size: 2 } })).rejects.toEqual(
        refused('already_exists', 'commands[0]'),
      )
      expect(await store().read(system, key('one'), call)).toEqual(first)
    })

    it('count generations by changes of spec only, and versions by every change', async () => {
      const { key } = freshTenant()
      const first = await made(store(), key('one'))
      const labelled = await write(store(), replace(key('one'), { size: 1 }, { labels: { a: 'b' } }))
      const resized = await write(store(), replace(key('one'), { size: 2 }, { labels: { a: 'b' } }))
      expect([labelled.did, labelled.object.metadata.generation]).toEqual(['configured', 1])
      expect([resized.did, resized.object.metadata.generation]).toEqual(['configured', 2])
      expect(labelled.object.metadata.resourceVersion).toBeGreaterThan(first.metadata.resourceVersion)
      expect(resized.object.metadata.resourceVersion).toBeGreaterThan(labelled.object.metadata.resourceVersion)
      expect(resized.object.metadata.uid).toBe(first.metadata.uid)
    })

    it('stay as they are when replaced by the same, in whatever order its fields come', async () => {
      const { key } = freshTenant()
      const first = await made(store(), key('one'), { spec: { a: 1, b: { c: 2, d: 3 } } })
      const again = await write(store(), replace(key('one'), { b: { d: 3, c: 2 }, a: 1, e: undefined }))
      expect([again.did, again.object]).toEqual(['unchanged', first])
    })

    it('are replaced only at the generation that was expected', async () => {
      const { key } = freshTenant()
      await made(store(), key('one'))
      const command = { op: 'replace', draft: { key: key('one'), spec: { size: 2 } }, ifGeneration: 2 } as const
      await expect(write(store(), command)).rejects.toEqual(refused('generation_conflict', 'commands[0]'))
      expect((await write(store(), { ...command, ifGeneration: 1 })).object.metadata.generation).toBe(2)
    })

    it('are made by a replace only if it says so', async () => {
      const { key } = freshTenant()
      const command = { op: 'replace', draft: { key: key('one'), spec: { size: 2 } } } as const
      await expect(write(store(), command)).rejects.toEqual(refused('object_not_found'))
      await expect(write(store(), { ...command, ifAbsent: 'create', ifGeneration: 1 })).rejects.toEqual(
        refused('object_not_found'),
      )
      expect((await write(store(), { ...command, ifAbsent: 'create' })).did).toBe('created')
      expect((await write(store(), { ...command, ifAbsent: 'create' })).did).toBe('unchanged')
    })

    it('take a status at the version it was made for, without touching generation and spec', async () => {
      const { key } = freshTenant()
      const { metadata } = await made(store(), key('one'))
      const command = {
        op: 'status',
        key: key('one'),
        status: { ready: true },
        ifVersion: metadata.resourceVersion,
      } as const
      const done = await write(store(), command)
      expect(done).toMatchObject({
        did: 'configured',
        object: { status: { ready: true }, spec: { size: 1 }, metadata: { generation: 1 } },
      })
      await expect(write(store(), { ...command, status: { ready: false } })).rejects.toEqual(
        refused('version_conflict', 'commands[0]'),
      )
      const kept = await write(store(), replace(key('one'), { size: 2 }))
      expect(kept.object.status).toEqual({ ready: true })
    })

    it('are not written for a status that differs only in when somebody looked', async () => {
      const { key } = freshTenant()
      const { metadata } = await made(store(), key('one'), {
        status: { ready: true, lookedAt: 1, parts: [{ lookedAt: 1, up: 1 }] },
      })
      const status = { ready: true, lookedAt: 2, parts: [{ lookedAt: 2, up: 1 }] }
      const command = { op: 'status', key: key('one'), status, ifVersion: metadata.resourceVersion } as const
      const same = await write(store(), command)
      expect(same).toMatchObject({
        did: 'unchanged',
        object: { metadata: { resourceVersion: metadata.resourceVersion } },
      })
      const other = await write(store(), { ...command, status: { ...status, ready: false } })
      expect(other).toMatchObject({ did: 'configured', object: { status: { ready: false, lookedAt: 2 } } })
    })

    it('of system scope and of several tenants share names without meeting', async () => {
      const [one, two] = [freshTenant(), freshTenant()]
      const kind = `Kind-${one.tenant}`
      await made(store(), { kind, name: 'same' }, { spec: 'system' })
      await made(store(), one.key('same', kind), { spec: 'one' })
      await made(store(), two.key('same', kind), { spec: 'two' })
      const specs = [{ kind, name: 'same' }, one.key('same', kind), two.key('same', kind)].map(
        async (key) => (await store().read(system, key, call))?.spec,
      )
      expect(await Promise.all(specs)).toEqual(['system', 'one', 'two'])
    })

    it('that the tables could not hold are refused with every path that is wrong', async () => {
      const draft = {
        key: { kind: 'Thing', tenant: 'a b', name: '' },
        spec: 1,
        labels: { 'a=b': 'x', ok: 'ü' },
        usage: { cpu: -1n },
      }
      await expect(store().write(system, [{ op: 'create', draft }], {}, call)).rejects.toMatchObject({
        reason: 'schema',
        issues: [
          { path: 'commands[0].metadata.name' },
          { path: 'commands[0].metadata.tenant' },
          { path: 'commands[0].metadata.labels["a=b"]' },
          { path: 'commands[0].metadata.labels["ok"]' },
          { path: 'commands[0].usage["cpu"]' },
        ],
      })
      const { key } = freshTenant()
      await expect(made(store(), key('one'), { spec: 1n })).rejects.toEqual(refused('schema', 'commands[0]'))
      await expect(made(store(), key('one'), { spec: undefined })).rejects.toEqual(
        refused('schema', 'commands[0].spec'),
      )
    })

    it('are what was stored, not what the caller goes on to change', async () => {
      const { key } = freshTenant()
      const spec = { list: [1] }
      const { results } = await store().write(system, [create(key('one'), { spec })], {}, call)
      spec.list.push(2)
      expect(results[0]?.object.spec).toEqual({ list: [1] })
      expect((await store().read(system, key('one'), call))?.spec).toEqual({ list: [1] })
    })
  })
}
