import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { memoryRecords } from './memory-records.ts'
import type { InstanceRecord } from './records.ts'
import type { Release } from './release.ts'

const call = { signal: new AbortController().signal }
const ref = { tenant: 't', workload: 'web', uid: 'u', slot: 'a' } as const

const record: InstanceRecord = {
  ref,
  labels: {},
  type: 'deployment',
  run: 'running',
  replicas: 1,
  restart: { policy: 'always', maxPerHour: 20 },
  strategy: { type: 'recreate', minReadySeconds: 0, progressDeadlineSeconds: 60, onFailure: 'rollback' },
  stopGraceSeconds: 10,
  expose: 'none',
  engine: {},
  release: 'r1',
  releases: 1,
  removing: false,
  version: 0,
}

const release = (id: string, version: number): Release => ({
  id,
  instance: 'u/a',
  version,
  services: [],
  secretVersions: {},
  images: {},
  hash: id,
  createdAt: new Date(0).toISOString(),
})

describe('records in memory', () => {
  it('tell the later of two writers that it came too late', async () => {
    const records = memoryRecords()
    const saved = await records.save(record, undefined, call)
    expect(saved.version).toBe(1)
    await records.save({ ...saved, replicas: 2 }, undefined, call)
    const late = records.save({ ...saved, replicas: 3 }, release('r9', 9), call)
    await expect(late).rejects.toSatisfy((error) => isFault(error) && error.reason === 'version_conflict')
    expect((await records.find(ref, call))?.replicas).toBe(2)
    expect(await records.release('r9', call)).toBeUndefined()
  })

  it('keep releases unchanged, oldest first, and forget them with their instance', async () => {
    const records = memoryRecords()
    let saved = await records.save(record, release('r2', 2), call)
    saved = await records.save(saved, release('r1', 1), call)
    await records.save(saved, { ...release('r1', 1), hash: 'other' }, call)
    expect((await records.releasesOf(ref, call)).map(({ id, hash }) => [id, hash])).toEqual([
      ['r1', 'r1'],
      ['r2', 'r2'],
    ])
    await records.forget(ref, call)
    await records.forget(ref, call)
    expect(await records.find(ref, call)).toBeUndefined()
    expect(await records.release('r1', call)).toBeUndefined()
    expect(await records.list(call)).toEqual([])
  })

  it('throw the reason of whoever has left', async () => {
    const reason = new Error('gone')
    const left = { signal: AbortSignal.abort(reason) }
    await expect(memoryRecords().find(ref, left)).rejects.toBe(reason)
    await expect(memoryRecords().save(record, undefined, left)).rejects.toBe(reason)
  })
})
