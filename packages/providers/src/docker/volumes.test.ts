import { Fault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { label, ownerLabels } from '../labels.ts'
import type { DockerApi } from './api/api.ts'
import type { Volume } from './api/types/volumes.ts'
import { retainLabel } from './plan/volumes.ts'
import { keptVolumes, Volumes } from './volumes.ts'

const ref = { tenant: 't', workload: 'w', uid: 'one', slot: 'a' } as const
const next = { ...ref, uid: 'two' }

const volume = (Name: string, Labels: Record<string, string>): Volume => ({
  Name,
  Driver: 'local',
  Mountpoint: '',
  Labels,
  Options: null,
})

const data = volume('data', { ...ownerLabels('here', ref), [retainLabel]: 'true', [label.replica]: '3' })
const word = (name: string, of: typeof next | typeof ref, since: number, more: Record<string, string> = {}) =>
  volume(name, {
    ...ownerLabels('here', of),
    [label.role]: 'volume-owner',
    'gantry.dev/owner-of': 'data',
    'gantry.dev/since': String(since),
    ...more,
  })

describe('volumes that are kept', () => {
  it('are who made them, as long as nobody has said more', () => {
    expect(keptVolumes('here', [data])).toEqual([
      { installation: 'here', ref, retain: true, name: 'data', index: 3, left: false, words: [] },
    ])
  })

  it('are whose the newest word says, in whatever order they are listed', () => {
    const words = [word('w2', next, 20), word('w1', ref, 10)]
    for (const all of [
      [data, ...words],
      [...words.reverse(), data],
    ]) {
      expect(keptVolumes('here', all)).toMatchObject([{ ref: next, words: ['w2', 'w1'] }])
    }
  })

  it('are retained as the newest word says, and left where it says so', () => {
    const more = { 'gantry.dev/owner-retains': 'false', 'gantry.dev/left': 'true' }
    expect(keptVolumes('here', [data, word('w', next, 1, more)])).toMatchObject([{ retain: false, left: true }])
  })

  it('are none that go with a replica, and none of another installation', () => {
    const passing = volume('p', { ...data.Labels, 'gantry.dev/engine-id': 'e' })
    expect(keptVolumes('here', [passing, volume('x', {})])).toEqual([])
    expect(keptVolumes('elsewhere', [data])).toEqual([])
  })
})

describe('a volume that is there already', () => {
  const call = { signal: new AbortController().signal }
  const taking = (answered: Volume, inspected: Volume | undefined) => {
    const api = { volumes: { create: async () => answered, inspect: async () => inspected } } as unknown as DockerApi
    return new Volumes(api, 'here', () => 0).make({ Name: 'data', Labels: data.Labels ?? {} }, call)
  }

  it('is ours where the answer does not say so, and a look does', async () => {
    expect(await taking(data, undefined)).toBe(data)
    expect(await taking({ ...data, Labels: null }, data)).toBe(data)
  })

  it("is somebody else's where nothing says that it is ours", async () => {
    for (const there of [undefined, volume('data', {}), volume('data', ownerLabels('elsewhere', ref))]) {
      await expect(taking({ ...data, Labels: null }, there)).rejects.toMatchObject({ reason: 'foreign_object' })
    }
  })
})

describe('volumes of single replicas', () => {
  const call = { signal: new AbortController().signal }

  function rig(all: readonly Volume[]) {
    const removed: string[] = []
    const api = {
      system: { info: async () => ({ SystemTime: '2026-11-16T10:01:00.123456789Z' }) },
      volumes: {
        list: async () => all,
        remove: async (name: string) => {
          if (name === 'used') throw new Fault('engine_object_conflict', 'in use')
          removed.push(name)
        },
      },
    } as unknown as DockerApi
    const sweep = () => new Volumes(api, 'here', () => 0).sweep((engineId) => engineId === 'one', call)
    return { removed, sweep }
  }

  const of = (Name: string, engineId: string, CreatedAt = '2026-11-16T10:00:00Z') => ({
    ...volume(Name, { 'gantry.dev/engine-id': engineId }),
    CreatedAt,
  })

  it('go where the replica is not there any more, but for what somebody uses', async () => {
    const { removed, sweep } = rig([of('runs', 'one'), of('left', 'two'), of('used', 'two')])
    expect(await sweep()).toBe(0)
    expect(removed).toEqual(['left'])
  })

  it('stay while they are so young that another server may be making their replica, by the clock of the daemon', async () => {
    // In a time zone of its own, as some engines answer.
    const young = of('young', 'two', '2026-11-16T12:00:50+02:00')
    const { removed, sweep } = rig([young, of('old', 'two'), of('unknown', 'two', '')])
    expect(await sweep()).toBe(1)
    expect(removed).toEqual(['old', 'unknown'])
  })
})
