import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import type { Engine, Observation, Observed, Ref, Usage } from '@gantry/providers'
import { describe, expect, it } from 'vitest'
import { silent } from '../../app/log.ts'
import { temporaryFolder } from '../../logs/testing/folder.ts'
import { createMetrics } from '../metrics.ts'
import { mostWorkloads } from '../workload-metrics.ts'
import { addUp } from './add-up.ts'
import { figuresOf } from './figures.ts'
import { ringFiles, sampleEveryMs } from './ring-files.ts'
import { Sampler } from './sampler.ts'

const call = { signal: new AbortController().signal }
const web = { tenant: 'shop', uid: 'u1' }
const dayMs = 24 * 3600 * 1000

describe('samples of usage', () => {
  it('are kept for a day in a file that does not grow any further', async () => {
    await using folder = await temporaryFolder()
    const clock = new VirtualClock()
    const samples = ringFiles({ folder: folder.path, clock })
    const every = dayMs / 24
    for (let hour = 0; hour < 60; hour += 1) {
      await samples.keep(web, { at: new Date(clock.now()), cpuMillis: hour, memoryBytes: 1000 })
      await clock.advance(every)
    }
    const { samples: kept } = await samples.read(web, 0, call)
    expect(kept.map(({ cpuMillis }) => cpuMillis)).toEqual(Array.from({ length: 24 }, (_, at) => 36 + at))
    expect(kept[0]).toEqual({ at: expect.any(String), cpuMillis: 36, memoryBytes: 1000 })
    const { samples: recent } = await samples.read(web, clock.now() - 2 * every, call)
    expect(recent).toHaveLength(2)
  })

  it('of nothing are an empty list', async () => {
    await using folder = await temporaryFolder()
    const samples = ringFiles({ folder: folder.path, clock: new VirtualClock() })
    expect(await samples.read(web, 0, call)).toEqual({ everySeconds: 30, samples: [] })
  })

  it('are whole or not there, whatever a crash left', async () => {
    await using folder = await temporaryFolder()
    const clock = new VirtualClock()
    const samples = ringFiles({ folder: folder.path, clock })
    await samples.keep(web, { at: new Date(clock.now()), cpuMillis: 1 })
    await clock.advance(sampleEveryMs)
    await samples.keep(web, { at: new Date(clock.now()), cpuMillis: 2 })
    const path = join(folder.path, 'shop', 'u1.samples')
    await truncate(path, 96)
    expect((await samples.read(web, 0, call)).samples.length).toBeLessThanOrEqual(1)
    await writeFile(path, Buffer.alloc(640, 7))
    expect((await samples.read(web, 0, call)).samples).toEqual([])
    await samples.keep(web, { at: new Date(clock.now()), cpuMillis: 3 })
    expect((await samples.read(web, 0, call)).samples).toMatchObject([{ cpuMillis: 3 }])
  })

  it('are those of both slots, and lack what one of them lacks', () => {
    const at = new Date(0)
    expect(addUp([])).toBeUndefined()
    expect(addUp([{ at, cpuMillis: 1, memoryBytes: 2 }])).toEqual({ at, cpuMillis: 1, memoryBytes: 2 })
    expect(
      addUp([
        { at, cpuMillis: 1, memoryBytes: 2 },
        { at, cpuMillis: 3 },
      ]),
    ).toEqual({ at, cpuMillis: 4 })
  })
})

const instanceOf = (ref: Ref): Observed => ({
  ref,
  replicas: [0, 1].map((index) => ({
    engineId: `${ref.uid}-${index}`,
    index,
    release: 'v1',
    specHash: '',
    ready: index === 0,
    terminating: false,
    services: { web: { role: 'main', phase: 'running', ready: true, restarts: 2 } },
    endpoints: [],
  })),
  endpoints: [],
  drift: [],
  notEnforced: [],
  at: new Date(0),
})

function sampling(folder: string, usage: (ref: Ref) => Promise<Usage | undefined>, count = 1) {
  const clock = new VirtualClock()
  const refs = Array.from(
    { length: count },
    (_, at): Ref => ({ tenant: 'shop', workload: `w${at}`, uid: `u${at}`, slot: 'a' }),
  )
  let tell: ((provider: string, seen: Observation) => void) | undefined
  const samples = ringFiles({ folder, clock })
  const hub = {
    engine: () => ({ usage }) as unknown as Engine,
    all: () => refs.map(instanceOf),
    subscribe: (listener: typeof tell) => {
      tell = listener
      return () => undefined
    },
  }
  const sampler = new Sampler({ hub, samples, clock, log: silent })
  sampler.start()
  tell?.('here', { type: 'snapshot', instances: [], at: new Date(0) })
  return { clock, samples, sampler, refs }
}

describe('the sampler', () => {
  it('asks a few at a time, and keeps what it is told', async () => {
    await using folder = await temporaryFolder()
    let asked = 0
    let most = 0
    const { sampler, samples, clock } = sampling(
      folder.path,
      async () => {
        asked += 1
        most = Math.max(most, asked)
        await new Promise((resolve) => setImmediate(resolve))
        asked -= 1
        return { at: new Date(clock.now()), cpuMillis: 5 }
      },
      100,
    )
    await sampler.sample(call)
    expect(most).toBe(8)
    expect((await samples.read({ tenant: 'shop', uid: 'u99' }, 0, call)).samples).toMatchObject([{ cpuMillis: 5 }])
    expect(sampler.latest('u99')).toMatchObject({ cpuMillis: 5 })
    await clock.advance(4 * sampleEveryMs - 1)
    await sampler.stop()
  })

  it('keeps nothing where the engine cannot be asked or has no figures, and goes on with the others', async () => {
    await using folder = await temporaryFolder()
    const { sampler, clock } = sampling(
      folder.path,
      async ({ uid }) => {
        if (uid === 'u0') throw new Fault('engine_unreachable', 'away')
        return uid === 'u1' ? undefined : { at: new Date(clock.now()), cpuMillis: 5 }
      },
      3,
    )
    await sampler.sample(call)
    expect(['u0', 'u1', 'u2'].map((uid) => sampler.latest(uid)?.cpuMillis)).toEqual([undefined, undefined, 5])
    await sampler.stop()
  })

  it('knows each replica by its number, where the engine tells them apart, and of all or none', async () => {
    await using folder = await temporaryFolder()
    let at = 0
    const { sampler, clock } = sampling(folder.path, async ({ uid }) => {
      const replicas = [1, 0].map((index) => ({ engineId: `${uid}-${index}`, memoryBytes: index + 1 }))
      at += 1
      return { at: new Date(clock.now()), memoryBytes: 3, ...(at === 1 && { replicas }) }
    })
    await sampler.sample(call)
    expect(sampler.replicas('u0')).toEqual([
      { slot: 'a', replica: 1, memoryBytes: 2 },
      { slot: 'a', replica: 0, memoryBytes: 1 },
    ])
    await sampler.sample(call)
    expect(sampler.replicas('u0')).toBeUndefined()
    expect(sampler.replicas('another')).toBeUndefined()
    await sampler.stop()
  })

  it('calls nothing new that is old', async () => {
    await using folder = await temporaryFolder()
    const { sampler, clock } = sampling(folder.path, async () => ({ at: new Date(clock.now()), cpuMillis: 5 }))
    await sampler.sample(call)
    await sampler.stop()
    await clock.advance(10 * sampleEveryMs)
    expect(sampler.latest('u0')).toBeUndefined()
  })
})

describe('metrics of workloads', () => {
  it('tell what was seen and sampled, and leave out what is not known', async () => {
    await using folder = await temporaryFolder()
    const { sampler } = sampling(folder.path, async () => ({ at: new Date(Date.UTC(2026, 0, 1)), cpuMillis: 250 }))
    await sampler.sample(call)
    const metrics = createMetrics()
    metrics.watchWorkloads(() => sampler.seen().map((seen) => figuresOf(seen, sampler.latest(seen.uid))))
    const lines = (await metrics.text()).split('\n').filter((line) => line.includes('workload="w0"'))
    expect(lines.sort()).toEqual([
      'gantry_workload_cpu_cores{tenant="shop",workload="w0"} 0.25',
      'gantry_workload_replicas_ready{tenant="shop",workload="w0"} 1',
      'gantry_workload_replicas{tenant="shop",workload="w0"} 2',
      'gantry_workload_restarts{tenant="shop",workload="w0"} 4',
    ])
    await sampler.stop()
  })

  it('are bounded in number, and say how many are left out', async () => {
    const metrics = createMetrics()
    const one = { tenant: 'shop', replicas: 1, ready: 1, restarts: 0 }
    metrics.watchWorkloads(() => Array.from({ length: mostWorkloads + 7 }, (_, at) => ({ ...one, workload: `w${at}` })))
    const text = await metrics.text()
    expect(text.match(/^gantry_workload_replicas\{/gm)).toHaveLength(mostWorkloads)
    expect(text).toContain('gantry_workloads_without_figures 7')
  })
})
