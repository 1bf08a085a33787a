import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { DockerApi } from '../api/api.ts'
import type { ReplicaRecord } from '../plan/record.ts'
import type { Builder } from './builder.ts'
import { Site } from './site.ts'

function siteOf(): Site {
  const clock = new VirtualClock()
  const life = { signal: new AbortController().signal }
  const api = { containers: {} } as DockerApi
  const parts = { api, builder: {} as Builder, installation: 'i', clock, life, random: () => 0 }
  const replica = { ...parts, enforces: new Set<never>(), exec: nothing, lastLine: nothing }
  return new Site({ api, installation: 'i', clock, life, replica, sweep: () => undefined })
}

const nothing = (): Promise<never> => Promise.reject(new Error('nothing is asked here'))

const record = (uid: string, index = 0): ReplicaRecord => ({
  engineId: `${uid}.${index}`,
  ref: { tenant: 't', workload: uid, uid, slot: 'a' },
  index,
  release: 'v1',
  specHash: 'h',
  group: false,
  files: false,
  stopGraceSeconds: 1,
  volumes: [],
  services: [{ name: 'web', role: 'main', dependsOn: [], ports: [] }],
})

describe('replicas of a daemon', () => {
  it('are found by their instance without looking at those of others', () => {
    const site = siteOf()
    const mine = [site.add(record('mine')), site.add(record('mine', 1))]
    const other = record('other')
    site.add(other)
    const { ref } = mine[0]?.record ?? other
    Object.defineProperty(other, 'ref', {
      get: () => {
        throw new Error('another one was looked at')
      },
    })
    expect(site.of(ref)).toEqual(mine)
    expect(site.of({ ...ref, slot: 'b' })).toEqual([])
    expect(site.observed(ref)?.replicas.map(({ index }) => index)).toEqual([0, 1])
  })

  it('are of no instance any more when they are forgotten', () => {
    const site = siteOf()
    const [first, second] = [site.add(record('mine')), site.add(record('mine', 1))]
    site.forget(first)
    expect(site.of(second.record.ref)).toEqual([second])
    site.forget(second)
    expect(site.of(second.record.ref)).toEqual([])
  })
})
