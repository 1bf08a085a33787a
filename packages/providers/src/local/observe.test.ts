import { describe, expect, it } from 'vitest'
import type { ServiceObserved } from '../observed.ts'
import type { HealthSeen } from '../tended/checkup.ts'
import type { ServiceFacts } from './facts.ts'
import { observedOf, replicaOf } from './observe.ts'
import type { ReplicaRecord, ServiceRecord } from './records.ts'
import type { ProcessExit, ProcessSeen } from './supervisor/process-seen.ts'

const ref = { tenant: 't', workload: 'w', uid: 'u', slot: 'a' } as const
const check = {
  http: { port: 'http', path: '/' },
  intervalSeconds: 2,
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
  startSeconds: 30,
  onUnhealthy: 'drain' as const,
}
const at = (ms: number): Date => new Date(ms)
const exit = (code: ProcessExit['code'], more: Partial<ProcessExit> = {}): ProcessExit => ({
  code,
  startedAt: at(1000),
  at: at(2000),
  asked: false,
  ...more,
})

const seen = (phase: ProcessSeen['phase'], more: Partial<ProcessSeen> = {}): ProcessSeen => ({
  id: 'e1.web',
  labels: {},
  role: 'workload',
  phase,
  run: 1,
  restarts: 0,
  startedAt: at(1000),
  notEnforced: [],
  ...(phase === 'running' ? { pid: 7 } : {}),
  ...more,
})

const health = (more: Partial<HealthSeen>): HealthSeen => ({
  ready: false,
  readySince: undefined,
  failingSince: undefined,
  everReady: false,
  message: undefined,
  ...more,
})
const well = health({ ready: true, readySince: 5000, everReady: true })

function service(more: Partial<ServiceFacts>, record: Partial<ServiceRecord> = {}): ServiceFacts {
  return {
    record: { name: 'web', role: 'main', dependsOn: [], ports: [], secret: false, ...record },
    process: undefined,
    health: undefined,
    trouble: undefined,
    lastLine: undefined,
    crashingSince: undefined,
    unhealthyRestarts: 0,
    ...more,
  }
}

const record: ReplicaRecord = {
  engineId: 'e1',
  installation: 'i',
  ref,
  index: 0,
  release: 'v1',
  specHash: 'h',
  labels: {},
  createdAt: '',
  terminating: false,
  user: undefined,
  environment: {},
  restart: { policy: 'always', maxPerHour: 20 },
  stopGraceSeconds: 1,
  services: [],
}

const replica = (services: ServiceFacts[], more: Partial<ReplicaRecord> = {}) =>
  replicaOf({ record: { ...record, ...more }, services })

describe('a service as it is observed', () => {
  it.each<[string, ServiceFacts, Partial<ServiceObserved>]>([
    ['waits for others', service({}), { phase: 'waiting', ready: false, restarts: 0 }],
    ['runs', service({ process: seen('running') }), { phase: 'running', ready: true }],
    [
      'starts until its check passes',
      service({ process: seen('running'), health: health({ message: 'not yet' }) }, { healthCheck: check }),
      { phase: 'starting', ready: false, message: 'not yet' },
    ],
    [
      'is not known before it was looked at',
      service({ process: seen('running'), health: health({ ready: undefined }) }, { healthCheck: check }),
      { ready: undefined },
    ],
    [
      'runs when its check passes',
      service({ process: seen('running'), health: well }, { healthCheck: check }),
      { phase: 'running', ready: true },
    ],
    [
      'still runs when its check fails later',
      service({ process: seen('running'), health: health({ everReady: true, message: 'no' }) }, { healthCheck: check }),
      { phase: 'running', ready: false, message: 'no' },
    ],
    [
      'crashed, and says how and what it said last',
      service({ process: seen('waiting', { lastExit: exit(3), restarts: 2 }), lastLine: 'no database' }),
      { phase: 'crashed', ready: false, exitCode: 3, restarts: 2, message: 'exited with code 3: no database' },
    ],
    [
      'was killed by somebody',
      service({ process: seen('waiting', { lastExit: exit(137, { signal: 'SIGKILL' }) }) }),
      { phase: 'crashed', exitCode: 137, message: 'exited with code 137 (SIGKILL)' },
    ],
    [
      'ended unseen',
      service({ process: seen('waiting', { lastExit: exit('unknown') }) }),
      { exitCode: 'unknown', message: 'ended while nobody looked, with an exit code that is not known' },
    ],
    [
      'left something behind that is being ended',
      service({ process: seen('stopping', { lastExit: exit(1) }) }),
      { phase: 'crashed' },
    ],
    ['is being stopped', service({ process: seen('stopping', { pid: 7 }) }), { phase: 'stopping', ready: false }],
    ['was stopped', service({ process: seen('stopped') }), { phase: 'stopped' }],
    [
      'has ended well',
      service({ process: seen('ended', { lastExit: exit(0) }) }),
      { phase: 'completed', ready: false },
    ],
    [
      'cannot be started',
      service({ trouble: { message: 'port 80', at: at(0), ofReplica: false } }),
      { phase: 'crashed', message: 'port 80' },
    ],
    [
      'counts what its check restarted',
      service({ process: seen('running', { restarts: 2 }), unhealthyRestarts: 3 }),
      { restarts: 5 },
    ],
  ])('%s', (_what, facts, expected) => {
    expect(replica([facts]).services.web).toMatchObject(expected)
  })
})

describe('a replica as it is observed', () => {
  const running = service({ process: seen('running') })
  const checked = service({ process: seen('running'), health: well }, { name: 'api', healthCheck: check })

  it('is ready when all its services are, since the last of them was', () => {
    expect(replica([running, checked])).toMatchObject({ ready: true, readySince: at(5000) })
    expect(replica([running, service({}, { name: 'late' })])).toMatchObject({ ready: false })
    const unknown = service({ process: seen('running') }, { name: 'api', healthCheck: check })
    expect(replica([running, unknown]).ready).toBeUndefined()
  })

  it('does not wait for an init that has done its work, and is not ready while it leaves', () => {
    const init = service({ process: seen('ended', { lastExit: exit(0) }) }, { name: 'init', role: 'init' })
    expect(replica([init, running]).ready).toBe(true)
    expect(replica([running], { terminating: true })).toMatchObject({ ready: false, terminating: true })
  })

  it('can be dialled on the loopback, and on the address that it was told to be open on', () => {
    const port = (bind?: string) => ({
      name: 'http',
      protocol: 'http' as const,
      number: 8080,
      ...(bind ? { bind } : {}),
    })
    const hosts = [undefined, '0.0.0.0', '::1', '10.0.0.1'].map((bind) => {
      const [endpoint] = replica([service({}, { ports: [port(bind)] })]).endpoints
      return [endpoint?.public, endpoint && 'host' in endpoint.dial && endpoint.dial.host]
    })
    expect(hosts).toEqual([
      [false, '127.0.0.1'],
      [true, '127.0.0.1'],
      [true, '::1'],
      [true, '10.0.0.1'],
    ])
  })

  it.each<[string, ServiceFacts, 'again' | 'final' | undefined, string | undefined, string | undefined]>([
    ['runs', running, undefined, undefined, undefined],
    [
      'init failed',
      service(
        { process: seen('failed', { lastExit: exit(3) }), lastLine: 'no table' },
        { name: 'migrate', role: 'init' },
      ),
      'again',
      'init_failed',
      'init service migrate exited with code 3: no table',
    ],
    [
      'ended too often',
      service({
        process: seen('failed', {
          lastExit: exit(1),
          problem: { reason: 'too_many_restarts', message: 'too often', since: at(9) },
        }),
      }),
      'final',
      'rollout_stalled',
      'web exited with code 1, and was restarted too often within an hour',
    ],
    [
      'is not to be restarted',
      service({ process: seen('failed', { lastExit: exit(1) }) }),
      'final',
      'rollout_stalled',
      'web exited with code 1, and is not to be restarted',
    ],
    [
      'has no program',
      service({
        process: seen('waiting', {
          run: 0,
          problem: { reason: 'program_missing', message: 'there is no program x', since: at(9) },
        }),
      }),
      undefined,
      'rollout_stalled',
      'web: there is no program x',
    ],
    [
      'keeps crashing',
      service({ process: seen('waiting', { lastExit: exit(3), restarts: 4 }), lastLine: 'boom', crashingSince: 9 }),
      undefined,
      'rollout_stalled',
      'web keeps crashing: exited with code 3: boom',
    ],
    [
      'never becomes well',
      service(
        { process: seen('running'), health: health({ failingSince: 9, message: 'has not passed' }) },
        { healthCheck: check },
      ),
      undefined,
      'rollout_stalled',
      'web has not passed',
    ],
    [
      'fails after it was well',
      service(
        { process: seen('running'), health: health({ failingSince: 9, everReady: true, message: 'fails' }) },
        { healthCheck: check },
      ),
      undefined,
      undefined,
      undefined,
    ],
    [
      'lost its port',
      service({ trouble: { message: 'port 20001 (http) is held by another program', at: at(9), ofReplica: true } }),
      'again',
      'rollout_stalled',
      'web: port 20001 (http) is held by another program',
    ],
  ])('is stalled with a sentence where it %s', (_what, facts, failed, reason, message) => {
    const { replicas, stalled } = observedOf(
      { ref, record: undefined, replicas: [{ record, services: [facts] }], trouble: undefined },
      10,
    )
    expect([replicas[0]?.failed, stalled?.reason, stalled?.message]).toEqual([failed, reason, message])
    if (stalled && stalled.reason !== 'init_failed') expect(stalled.at.getTime()).toBeLessThanOrEqual(2000)
  })
})
