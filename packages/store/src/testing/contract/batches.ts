import { describe, expect, it } from 'vitest'
import type { Command } from '../../command.ts'
import {
  call,
  create,
  freshTenant,
  type MakeSubject,
  made,
  names,
  refused,
  replace,
  sharedStore,
  system,
  write,
} from './subject.ts'

export function batchesContract(make: MakeSubject): void {
  describe('batches', () => {
    const store = sharedStore(make)

    it('are written as a whole or not at all, and say which command was refused', async () => {
      const tenant = freshTenant()
      await made(store(), tenant.key('there'))
      const before = await store().list(system, { kind: 'Thing', tenant: tenant.tenant, limit: 10 }, call)
      const commands = [
        create(tenant.key('new')),
        replace(tenant.key('there'), { size: 9 }),
        create(tenant.key('there')),
      ]
      await expect(store().write(system, commands, {}, call)).rejects.toEqual(refused('already_exists', 'commands[2]'))
      expect(await store().list(system, { kind: 'Thing', tenant: tenant.tenant, limit: 10 }, call)).toEqual(before)
    })

    it('see what they wrote themselves, and record each step', async () => {
      const { key } = freshTenant()
      const { results } = await store().write(
        system,
        [
          create(key('one')),
          replace(key('one'), { size: 2 }),
          { op: 'addFinalizer', key: key('one'), finalizer: 'f' },
          { op: 'delete', key: key('one') },
          { op: 'removeFinalizer', key: key('one'), finalizer: 'f' },
          create(key('one'), { spec: { size: 3 } }),
        ],
        {},
        call,
      )
      expect(results.map(({ did }) => did)).toEqual([
        'created',
        'configured',
        'configured',
        'deleting',
        'deleted',
        'created',
      ])
      const versions = results.map(({ object }) => object.metadata.resourceVersion)
      expect(versions).toEqual(versions.map((_, at) => (versions[0] ?? 0) + at))
      expect(results[5]?.object.metadata.uid).not.toBe(results[0]?.object.metadata.uid)
      expect(await store().read(system, key('one'), call)).toEqual(results[5]?.object)
    })

    it('that do nothing are answered with the version as it is', async () => {
      const { key } = freshTenant()
      const { metadata } = await made(store(), key('one'))
      expect(await store().write(system, [], {}, call)).toEqual({
        results: [],
        resourceVersion: metadata.resourceVersion,
      })
    })

    it('from many writers at once do not disturb each other, also when some are refused', async () => {
      const tenant = freshTenant()
      await made(store(), tenant.key('taken'))
      const writes = Array.from({ length: 60 }, (_, at) => {
        const commands: Command[] = [
          create(tenant.key(`n-${at}`)),
          ...(at % 3 === 0 ? [create(tenant.key('taken'))] : []),
        ]
        return store().write(system, commands, {}, call)
      })
      const settled = await Promise.allSettled(writes)
      expect(settled.map((one) => one.status)).toEqual(writes.map((_, at) => (at % 3 === 0 ? 'rejected' : 'fulfilled')))
      const { items } = await store().list(system, { kind: 'Thing', tenant: tenant.tenant, limit: 100 }, call)
      expect(items).toHaveLength(41)
      const versions = items.map((item) => item.metadata.resourceVersion)
      expect(new Set(versions).size).toBe(versions.length)
    })

    it('let exactly one of many that expect the same generation through', async () => {
      const { key } = freshTenant()
      await made(store(), key('one'))
      const tries = Array.from({ length: 30 }, (_, at) =>
        write(store(), { op: 'replace', draft: { key: key('one'), spec: { size: at + 10 } }, ifGeneration: 1 }),
      )
      const settled = await Promise.allSettled(tries)
      expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
      expect((await store().read(system, key('one'), call))?.metadata.generation).toBe(2)
    })

    it('that were aborted before their commit began have not happened, and say so with the caller’s reason', async () => {
      const tenant = freshTenant()
      const controller = new AbortController()
      const reason = new Error('changed my mind')
      const pending = store().write(system, [create(tenant.key('one'))], {}, { signal: controller.signal })
      controller.abort(reason)
      await expect(pending).rejects.toBe(reason)
      await expect(store().write(system, [create(tenant.key('two'))], {}, { signal: controller.signal })).rejects.toBe(
        reason,
      )
      const { items } = await store().list(system, { kind: 'Thing', tenant: tenant.tenant, limit: 10 }, call)
      expect(names(items)).toEqual([])
    })
  })
}
