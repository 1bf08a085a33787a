import { describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../../contract/kit.ts'
import { simulatedHarness } from '../../testing/simulated-harness.ts'
import { recordOf } from '../plan/record.ts'
import { progressOf, type ReplicaFacts, type ServiceFacts } from './facts.ts'
import { observedOf, replicaOf } from './observed-of.ts'
import type { ContainerSeen } from './seen.ts'

const kit = new Kit(await simulatedHarness())
const always = { policy: 'always', maxPerHour: 20 } as const

const container: ContainerSeen = {
  id: 'c1',
  name: 'c1',
  image: 'i',
  labels: {},
  status: 'running',
  exitCode: 0,
  oomKilled: false,
  error: '',
  createdAt: 500,
  startedAt: 1000,
  run: '1000',
  finishedAt: undefined,
  restarts: 0,
  policy: 'unless-stopped',
  limits: { Memory: 64 * 2 ** 20 },
  networkMode: 'net',
  addresses: { net: '10.0.0.2' },
  tty: false,
  volumes: [],
}

const exited = (exitCode: number): ContainerSeen => ({ ...container, status: 'exited', exitCode, finishedAt: 2000 })

function facts(more: Partial<ServiceFacts> = {}, spec: SpecInput = {}): ReplicaFacts {
  const ports = [{ name: 'http', port: 80 }]
  const desired = kit.desired({ services: [{ name: 'web', image: 'app:1', ports }], ...spec })
  const record = recordOf(desired, 'e1', 0)
  const services = record.services.map(
    (service): ServiceFacts => ({
      record: service,
      container,
      stale: false,
      health: undefined,
      trouble: undefined,
      pulling: undefined,
      lastExit: undefined,
      lastLine: undefined,
      crashingSince: undefined,
      childOomAt: undefined,
      warnings: [],
      restarts: 0,
      exhausted: false,
      restart: always,
      ...more,
    }),
  )
  return { record, terminating: false, address: '10.0.0.2', holder: undefined, services }
}

const exit = (code: number, more = {}) => ({ code, at: 2000, asked: false, byOthers: false, oom: false, ...more })
const shown = (more: Partial<ServiceFacts>, terminating = false) =>
  replicaOf({ ...facts(more), terminating }).services.web

describe('what a container was made in spite of', () => {
  const warnings = ['image app:1 is for linux/s390x']

  it('is said of what runs, and beside whatever else is said', () => {
    expect(shown({ warnings })?.message).toBe(warnings[0])
    const trouble = { reason: 'engine_refused', message: 'exec format error', at: new Date(0) } as const
    expect(shown({ warnings, trouble })?.message).toBe(`exec format error (${warnings[0]})`)
    const crashed = shown({ warnings, container: exited(3), lastExit: exit(3) })
    expect(crashed?.message).toBe(`exited with code 3 (${warnings[0]})`)
    expect(shown({ warnings: [], childOomAt: 1 })?.message).not.toContain('(')
  })

  it('is a part of why it does not get further', () => {
    const trouble = { reason: 'engine_refused', message: 'exec format error', at: new Date(0) } as const
    const seen = observedOf(
      {
        ref: kit.ref(),
        replicas: [facts({ warnings, trouble })],
        trouble: undefined,
        drift: [],
        notEnforced: [],
      },
      0,
    )
    expect(seen.stalled?.message).toBe(`web: exec format error (${warnings[0]})`)
  })
})

describe('a service as it is observed', () => {
  it.each<[string, Partial<ServiceFacts>, string]>([
    ['waits without a container', { container: undefined }, 'waiting'],
    ['is pulled', { container: undefined, pulling: '1 of 2 MB' }, 'pulling'],
    ['waits for its turn', { container: { ...container, status: 'created', startedAt: undefined } }, 'waiting'],
    ['runs', {}, 'running'],
    [
      'has crashed while the daemon waits to start it again',
      { container: { ...container, status: 'restarting' } },
      'crashed',
    ],
    ['has crashed', { container: exited(3), lastExit: exit(3) }, 'crashed'],
    ['has completed', { container: exited(0), restart: { ...always, policy: 'on_failure' } }, 'completed'],
    ['should not have ended', { container: exited(0), lastExit: exit(0) }, 'crashed'],
    ['was stopped by us', { container: exited(143), lastExit: exit(143, { asked: true }) }, 'stopped'],
    ['was stopped by somebody else', { container: exited(143), lastExit: exit(143, { byOthers: true }) }, 'stopped'],
    ['is cut off', { stale: true }, 'starting'],
  ])('%s', (_, more, phase) => {
    expect(shown(more)?.phase).toBe(phase)
  })

  it('is on its way out with its replica', () => {
    expect([shown({}, true)?.phase, shown({ container: exited(0) }, true)?.phase]).toEqual(['stopping', 'stopped'])
  })

  it('says that its memory was over, of itself and of a process of its own', () => {
    const main = shown({ container: exited(137), lastExit: exit(137, { oom: true }), lastLine: 'last words' })
    expect(main?.message).toBe('was killed when it reached its limit of 64 Mi of memory (exit code 137): last words')
    expect(shown({ childOomAt: 1500 })).toMatchObject({ phase: 'running', message: /want of memory/ })
  })

  it('is not ready while somebody has paused it', () => {
    expect(shown({ container: { ...container, status: 'paused' } })).toMatchObject({ ready: false, message: /paused/ })
  })
})

describe('a replica as it is observed', () => {
  it('is dialled at its own address, and where it is opened on the machine there too', () => {
    const ports = [{ name: 'http', port: 80, hostPort: 8080, bind: '0.0.0.0' }]
    const { endpoints } = replicaOf(facts({}, { services: [{ name: 'web', image: 'app:1', ports }] }))
    expect(endpoints.map(({ public: open, dial }) => [open, dial])).toEqual([
      [false, { host: '10.0.0.2', port: 80 }],
      [true, { host: '127.0.0.1', port: 8080 }],
    ])
  })

  it('is ready since the last of its services is', () => {
    const health = { ready: true, readySince: 1700, failingSince: undefined, everReady: true, message: undefined }
    const healthCheck = { http: { port: 'http' } }
    const ports = [{ name: 'http', port: 80 }]
    const seen = facts({ health }, { services: [{ name: 'web', image: 'app:1', ports, healthCheck }] })
    expect(replicaOf(seen).readySince).toEqual(new Date(1700))
    expect(replicaOf(facts()).readySince).toEqual(new Date(1000))
  })

  it('has failed for good where nothing is to be started again, and can be tried anew after an init', () => {
    const never = { container: exited(3), lastExit: exit(3), restart: { ...always, policy: 'never' } as const }
    expect(replicaOf(facts(never)).failed).toBe('final')
    expect(replicaOf(facts({ container: exited(3), exhausted: true })).failed).toBe('final')
    expect(replicaOf(facts({ container: exited(3), lastExit: exit(3) })).failed).toBeUndefined()
    const services = [
      { name: 'web', image: 'app:1' },
      { name: 'init', image: 'app:1', role: 'init' as const },
    ]
    expect(replicaOf(facts({ container: exited(3) }, { services })).failed).toBe('again')
  })

  it.each<[string, Partial<ServiceFacts>, string, RegExp]>([
    ['crashes', { crashingSince: 5, lastExit: exit(3) }, 'rollout_stalled', /web keeps crashing: exited with code 3/],
    [
      'image',
      { trouble: { reason: 'image_pull_failed', message: 'no', at: new Date(1) } },
      'image_pull_failed',
      /web: no/,
    ],
    ['too often', { container: exited(1), exhausted: true, lastExit: exit(1) }, 'rollout_stalled', /too often/],
  ])('is stalled, and says why: %s', (_, more, reason, message) => {
    const seen = { ref: kit.ref(), replicas: [facts(more)], trouble: undefined, drift: [], notEnforced: [] }
    expect(observedOf(seen, 9).stalled).toMatchObject({ reason, message, service: 'web', replica: 0 })
  })
})

describe('the order of starting', () => {
  const services = [
    { name: 'web', image: 'app:1' },
    { name: 'init', image: 'app:1', role: 'init' as const },
  ]
  const [web, init] = facts({}, { services }).services

  it('begins anew where the network is younger than the runs in it', () => {
    if (!web || !init) throw new Error('there are two')
    const cut = { ...web, stale: true }
    const over = { ...init, stale: true, container: exited(0) }
    expect([progressOf(cut, [cut, over]), progressOf(over, [cut, over])]).toEqual(['waiting', 'waiting'])
  })

  it('takes an init for done where those that waited for it run', () => {
    if (!web || !init) throw new Error('there are two')
    const over = { ...init, stale: true, container: exited(0) }
    expect(progressOf(over, [web, over])).toBe('completed')
  })
})
