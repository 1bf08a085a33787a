import { VirtualClock } from '@gantry/core/testing'
import { expect, it } from 'vitest'
import { Link } from './link.ts'
import type { RecordStore } from './record-store.ts'
import type { ReplicaRecord } from './records.ts'
import { Site, type SiteParts } from './site.ts'
import type { Supervisor } from './supervisor/supervisor.ts'

const replica = (uid: string, index = 0): ReplicaRecord => ({
  engineId: `${uid}.${index}`,
  installation: 'i',
  ref: { tenant: 't', workload: uid, uid, slot: 'a' },
  index,
  release: 'v1',
  specHash: 'h',
  labels: {},
  createdAt: new Date(0).toISOString(),
  terminating: false,
  user: undefined,
  environment: {},
  restart: { policy: 'always', maxPerHour: 5 },
  stopGraceSeconds: 1,
  services: [{ name: 'web', role: 'main', dependsOn: [], ports: [], secret: false }],
})

function siteOf(records: readonly ReplicaRecord[]): Site {
  const none = { values: () => [], get: () => undefined } as unknown as RecordStore<never>
  const replicas = { values: () => records } as unknown as RecordStore<ReplicaRecord>
  const link = new Link({} as Supervisor)
  const rest = { installation: 'i', clock: new VirtualClock(), random: () => 0, instances: none, volumes: none }
  return new Site({ ...rest, places: {} as SiteParts['places'], link, replicas })
}

it('finds replicas by their instance without looking at those of others', () => {
  const [mine, other] = [replica('mine'), replica('other')]
  const site = siteOf([mine, other, replica('mine', 1)])
  Object.defineProperty(other, 'ref', {
    get: () => {
      throw new Error('another one was looked at')
    },
  })
  expect(site.of(mine.ref).map(({ record }) => record.index)).toEqual([0, 1])
  expect(site.of({ ...mine.ref, slot: 'b' })).toEqual([])
})
