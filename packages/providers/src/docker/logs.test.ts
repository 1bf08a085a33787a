import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { EngineLog } from '../log-line.ts'
import type { DockerApi } from './api/api.ts'
import type { OutputFrame } from './api/frames.ts'
import type { Container } from './api/types/containers.ts'
import { serviceLogs } from './logs.ts'
import type { ReplicaRecord } from './plan/record.ts'
import type { Builder } from './site/builder.ts'
import type { ContainerSeen } from './site/seen.ts'
import { Site } from './site/site.ts'

const record: ReplicaRecord = {
  engineId: 'web.0',
  ref: { tenant: 't', workload: 'web', uid: 'u', slot: 'a' },
  index: 0,
  release: 'v1',
  specHash: 'h',
  group: false,
  files: false,
  stopGraceSeconds: 1,
  volumes: [],
  services: [{ name: 'web', role: 'main', dependsOn: [], ports: [] }],
}

const seen = (id: string) =>
  ({
    id,
    labels: { 'gantry.dev/service': 'web' },
    status: 'exited',
    addresses: {},
    tty: false,
    run: id,
  }) as unknown as ContainerSeen

/** Each container has written its own id, and is gone once that was read. */
function rig() {
  const clock = new VirtualClock()
  const caller = new AbortController()
  const nothing = (): Promise<never> => Promise.reject(new Error('nothing is asked here'))
  const containers = {
    inspect: async (): Promise<Container | undefined> => undefined,
    logBlocks: async (id: string) => lines(id),
  }
  const system = { events: async () => lines('') }
  const api = { containers, system } as unknown as DockerApi
  const parts = { api, builder: {} as Builder, installation: 'i', clock, life: caller, random: () => 0 }
  const replica = { ...parts, enforces: new Set<never>(), exec: nothing, lastLine: async () => undefined }
  const site = new Site({ api, installation: 'i', clock, life: caller, replica, sweep: () => undefined })
  const live = site.add(record)
  const read: string[] = []
  const follow = async (isFollowing = true): Promise<void> => {
    for await (const log of serviceLogs(site, 'web.0', 'web', { follow: isFollowing }, caller)) read.push(textOf(log))
  }
  return { site, live, caller, read, follow }
}

async function* lines(text: string): AsyncGenerator<readonly OutputFrame[]> {
  if (text !== '') yield [{ stream: 'stdout', data: Buffer.from(`2026-11-16T10:00:00.000000000Z ${text}\n`) }]
}

const textOf = (log: EngineLog): string => (log.type === 'lines' ? log.text : log.message)
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('the logs of a service that has no container yet', () => {
  it('are none for who does not follow', async () => {
    const { follow, read, site } = rig()
    Object.defineProperty(site, 'lost', { value: undefined })
    await follow(false)
    expect(read).toEqual([])
  })

  it('are not known while the daemon is out of reach', async () => {
    await expect(rig().follow(false)).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it('are read as soon as there is one, and on from the next one', async () => {
    const { follow, read, live, site } = rig()
    const following = follow()
    await turns()
    expect(read).toEqual([])
    live.see(seen('first'), true)
    await turns()
    expect(read).toEqual(['first\n'])
    live.gone('first')
    live.see(seen('second'), true)
    await turns()
    expect(read).toEqual(['first\n', 'second\n'])
    site.forget(live)
    await following
  })

  it('end at once with the replica, and with who reads them', async () => {
    const first = rig()
    const following = first.follow()
    await turns()
    first.site.forget(first.live)
    await following
    const second = rig()
    const left = second.follow()
    await turns()
    const reason = new Error('left')
    second.caller.abort(reason)
    await expect(left).rejects.toBe(reason)
  })

  it('are lost sight of with the daemon', async () => {
    const { follow, site } = rig()
    const following = follow()
    await turns()
    const fault = new Fault('engine_unreachable', 'away')
    site.telling.tell({ type: 'lost', fault })
    await expect(following).rejects.toBe(fault)
  })
})
