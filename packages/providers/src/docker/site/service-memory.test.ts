import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { DockerEvent } from '../api/types/events.ts'
import type { ContainerSeen } from './seen.ts'
import { ServiceMemory } from './service-memory.ts'

const base: ContainerSeen = {
  id: 'c1',
  name: 'c1',
  image: 'i',
  labels: {},
  status: 'running',
  exitCode: 0,
  oomKilled: false,
  error: '',
  createdAt: 0,
  startedAt: 1000,
  run: 'first',
  finishedAt: undefined,
  restarts: 0,
  policy: 'unless-stopped',
  limits: {},
  networkMode: 'net',
  addresses: {},
  tty: false,
  volumes: [],
}

function memory(said: () => Promise<string | undefined> = async () => 'last words') {
  const clock = new VirtualClock()
  const told: string[] = []
  const service = new ServiceMemory({
    record: { name: 'web', role: 'main', dependsOn: [], ports: [] },
    clock,
    random: () => 0,
    address: () => undefined,
    exec: () => Promise.reject(new Error('nothing is run here')),
    lastLine: said,
    changed: () => told.push('changed'),
    ready: () => told.push('ready'),
    unhealthy: () => told.push('unhealthy'),
  })
  service.restart = { policy: 'always', maxPerHour: 2 }
  service.see(base, true)
  return { service, clock, told }
}

const event = (Action: string, Attributes: Record<string, string> = {}, ms = 2000): DockerEvent => ({
  Type: 'container',
  Action,
  Actor: { ID: 'c1', Attributes },
  time: ms / 1000,
  timeNano: ms * 1e6,
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('how a service ended', () => {
  it('is by itself where nobody asked for it, with its last words', async () => {
    const { service } = memory()
    service.hear(event('die', { exitCode: '3' }))
    await turn()
    expect(service.facts).toMatchObject({
      lastExit: { code: 3, asked: false, byOthers: false, oom: false },
      lastLine: 'last words',
    })
  })

  it('is our wish, or somebody else’s', () => {
    const { service } = memory()
    service.asking = true
    service.hear(event('kill', { signal: '15' }))
    service.hear(event('die', { exitCode: '143' }))
    expect(service.facts.lastExit).toMatchObject({ asked: true, byOthers: false })
    service.asking = false
    service.hear(event('start'))
    service.hear(event('kill', { signal: '9' }))
    service.hear(event('die', { exitCode: '137' }))
    expect(service.facts.lastExit).toMatchObject({ asked: false, byOthers: true })
  })

  it('is for want of memory, of the main process or of a child that it goes on without', () => {
    const { service } = memory()
    service.hear(event('oom'))
    expect(service.facts.childOomAt).toBe(2000)
    service.hear(event('die', { exitCode: '137' }))
    expect(service.facts.lastExit).toMatchObject({ oom: true })
    service.hear(event('start'))
    service.see({ ...base, run: 'second', startedAt: 3000 }, true)
    expect(service.facts.childOomAt).toBeUndefined()
    service.hear(event('die', { exitCode: '137' }))
    expect(service.facts.lastExit).toMatchObject({ oom: false })
  })

  it('is told of a child that was killed in a run that was seen only later', () => {
    const { service } = memory()
    service.hear(event('start', {}, 3000))
    service.hear(event('oom', {}, 3100))
    service.see({ ...base, run: 'second', startedAt: 3000 }, true)
    expect(service.facts.childOomAt).toBe(3100)
    service.see(undefined, true)
    expect(service.facts.childOomAt).toBeUndefined()
  })

  it('is not known where it runs again and nobody saw the end, and never 0 then', () => {
    const { service } = memory()
    service.see({ ...base, run: 'second', startedAt: 5000, finishedAt: 4000 }, true)
    expect(service.facts.lastExit).toMatchObject({ code: 'unknown', at: 4000 })
  })

  it('is somebody’s wish where the daemon would have started it again', () => {
    const { service } = memory()
    service.see({ ...base, status: 'exited', exitCode: 143, finishedAt: 4000 }, true)
    expect(service.facts.lastExit).toMatchObject({ code: 143, byOthers: true })
  })

  it('is told without its last words where they cannot be read', async () => {
    const { service } = memory(() => Promise.reject(new Error('broken')))
    service.hear(event('die', { exitCode: '1' }))
    await turn()
    expect(service.facts).toMatchObject({ lastExit: { code: 1 }, trouble: { message: /last words/ } })
  })
})

describe('a service that ends again and again', () => {
  it('has crashed too often when it was restarted as often as it may be', () => {
    const { service, clock } = memory()
    service.see({ ...base, restarts: 1 }, true)
    expect(service.exhausted).toBe(false)
    service.restarts.add(clock.now())
    expect(service.exhausted).toBe(true)
  })

  it('is said to keep crashing, until it has been quiet for a while', async () => {
    const { service, clock, told } = memory()
    service.see({ ...base, restarts: 3, startedAt: clock.now() }, true)
    service.hear(event('die', { exitCode: '1' }, clock.now()))
    expect(service.facts.crashingSince).toBe(clock.now())
    told.length = 0
    await clock.advance(61_000)
    expect(service.facts.crashingSince).toBeUndefined()
    expect(told).toContain('changed')
  })
})
