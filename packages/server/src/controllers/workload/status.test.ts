import { Fault, type ReplicaStatus, type StatusOf } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { conditionOf } from '../conditions.ts'
import { epoch, instance, rollout, workload } from '../testing/samples.ts'
import { type Looked, statusOf } from './status.ts'

const blind = { reason: 'engine_unreachable', message: 'No socket', since: '2026-01-01T00:00:00.000Z' }
const succeeded = rollout({ release: 1 }, { phase: 'succeeded', stable: 'a' })
const settled: StatusOf<'Instance'> = { state: 'running', readyReplicas: 1, replicas: [], settled: true }

type Service = ReplicaStatus['services'][string]
const replica = (index: number, service: Partial<Service>): ReplicaStatus => ({
  engineId: `id-${index}`,
  index,
  release: 'v1',
  specHash: 'h',
  terminating: false,
  services: { web: { role: 'main', phase: 'running', restarts: 0, ...service } },
  endpoints: [],
})

type Row = [string, Partial<Looked>, Readonly<Record<'Ready' | 'Progressing' | 'Degraded', string>>]

const failure = { reason: 'rollout_stalled', message: 'web ended with exit code 3', at: '2026-01-01T00:00:00.000Z' }

const rows: Row[] = [
  [
    'is green when all that is asked for is ready',
    { newest: succeeded, instances: [instance('a', settled)] },
    {
      Ready: 'True converged 1 of 1 replica is ready',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'False converged ',
    },
  ],
  [
    'is not green while what was asked for last was not looked at',
    { newest: succeeded, instances: [instance('a', settled, {}, { metadata: { generation: 2 } })] },
    {
      Ready: 'False not_ready 1 of 1 replica is ready',
      Progressing: 'True waiting waiting for the engine to be told',
      Degraded: 'False converged ',
    },
  ],
  [
    'is unknown while nobody can look, whatever was seen before',
    { newest: succeeded, instances: [instance('a', { ...settled, blind })] },
    {
      Ready: 'Unknown engine_unreachable Provider "here" cannot be looked at since 2026-01-01T00:00:00.000Z: No socket',
      Progressing:
        'Unknown engine_unreachable Provider "here" cannot be looked at since 2026-01-01T00:00:00.000Z: No socket',
      Degraded:
        'Unknown engine_unreachable Provider "here" cannot be looked at since 2026-01-01T00:00:00.000Z: No socket',
    },
  ],
  [
    'says which replica fails which service with what',
    {
      newest: succeeded,
      instances: [
        instance('a', {
          ...settled,
          readyReplicas: 0,
          replicas: [replica(0, {}), replica(1, { phase: 'crashed', exitCode: 3, restarts: 2, message: 'killed' })],
        }),
      ],
    },
    {
      Ready: 'False not_ready 0 of 1 replica is ready; replica 1: web ended with exit code 3: killed, after 2 restarts',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'True unhealthy replica 1: web ended with exit code 3: killed, after 2 restarts',
    },
  ],
  [
    'says which replica gets no further, and why',
    {
      newest: succeeded,
      instances: [
        instance('a', {
          ...settled,
          readyReplicas: 0,
          stalled: { reason: 'rollout_stalled', message: 'web: no such program', replica: 2, at: blind.since },
        }),
      ],
    },
    {
      Ready: 'False not_ready 0 of 1 replica is ready; replica 2: web: no such program',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'True rollout_stalled replica 2: web: no such program',
    },
  ],
  [
    'says what a health check said',
    {
      newest: succeeded,
      instances: [
        instance('a', {
          ...settled,
          readyReplicas: 0,
          replicas: [replica(0, { ready: false, message: 'GET / answered 500' })],
        }),
      ],
    },
    {
      Ready: 'False not_ready 0 of 1 replica is ready; replica 0: web: GET / answered 500',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'True unhealthy replica 0: web: GET / answered 500',
    },
  ],
  [
    'is not said to be unwell because an image is on its way',
    {
      newest: succeeded,
      instances: [
        instance('a', {
          ...settled,
          settled: false,
          waitingFor: 'images',
          readyReplicas: 0,
          replicas: [replica(0, { ready: false, phase: 'pulling', message: 'pulling web:1: 12 of 48 MB' })],
        }),
      ],
    },
    {
      Ready: 'False not_ready 0 of 1 replica is ready',
      Progressing: 'True waiting waiting for images',
      Degraded: 'False converged ',
    },
  ],
  [
    'serves while a new release comes up, and says what that waits for',
    {
      newest: rollout(
        { number: 2, release: 2, from: 1 },
        { phase: 'progressing', stable: 'a', waitingFor: 'replica 1' },
      ),
      instances: [instance('a', settled)],
    },
    {
      Ready: 'True converged 1 of 1 replica is ready',
      Progressing: 'True rolling_out Rolling out v2: waiting for replica 1',
      Degraded: 'False converged ',
    },
  ],
  [
    'is degraded by a release that failed and was taken back, and says what runs',
    {
      newest: rollout({ number: 2, release: 2, from: 1 }, { phase: 'rolled_back', stable: 'a', failure }),
      instances: [instance('a', settled)],
    },
    {
      Ready: 'True converged 1 of 1 replica is ready',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'True rollout_stalled v2 failed (web ended with exit code 3), running v1',
    },
  ],
  [
    'is degraded by a first release that failed',
    {
      newest: rollout({ release: 1 }, { phase: 'failed', stable: 'a', failure }),
      instances: [instance('a', { ...settled, readyReplicas: 0 })],
    },
    {
      Ready: 'False not_ready 0 of 1 replica is ready',
      Progressing: 'False failed Rolling out v1 failed',
      Degraded: 'True rollout_stalled v1 failed (web ended with exit code 3), there is nothing to go back to',
    },
  ],
  [
    'says who aborted',
    {
      newest: rollout(
        { number: 2, release: 2, from: 1, abort: { by: 'eve', why: 'wrong' } },
        { phase: 'aborted', stable: 'a' },
      ),
      instances: [instance('a', settled)],
    },
    {
      Ready: 'True converged 1 of 1 replica is ready',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'True aborted v2 was aborted by eve (wrong), running v1',
    },
  ],
  [
    'waits for what it depends on before anything is made',
    { newest: undefined, instances: [], waiting: 'workload "db" to be ready' },
    {
      Ready: 'False waiting waiting for workload "db" to be ready',
      Progressing: 'True waiting waiting for workload "db" to be ready',
      Degraded: 'False waiting ',
    },
  ],
  [
    'cannot begin as it is',
    { newest: undefined, instances: [], fault: new Fault('secret_not_found', 'The secret "x" does not exist') },
    {
      Ready: 'False secret_not_found The secret "x" does not exist',
      Progressing: 'False secret_not_found Goes on when the spec, or something that it refers to, changes',
      Degraded: 'True secret_not_found The secret "x" does not exist',
    },
  ],
  [
    'is unknown when it could not even be begun, because nobody can look',
    { newest: undefined, instances: [], fault: new Fault('engine_unreachable', 'No socket') },
    {
      Ready: 'Unknown engine_unreachable could not look: No socket',
      Progressing: 'Unknown engine_unreachable could not look: No socket',
      Degraded: 'Unknown engine_unreachable could not look: No socket',
    },
  ],
  [
    'goes on as it was while what is asked for now cannot be made',
    {
      newest: succeeded,
      instances: [instance('a', settled)],
      fault: new Fault('field_unsupported', 'local cannot run this'),
    },
    {
      Ready: 'True converged 1 of 1 replica is ready',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'True field_unsupported local cannot run this',
    },
  ],
  [
    'is stopped, as asked for',
    {
      workload: workload({ run: 'stopped' }),
      newest: succeeded,
      instances: [instance('a', { ...settled, readyReplicas: 0 })],
    },
    {
      Ready: 'False stopped Stopped, as asked for',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'False converged ',
    },
  ],
  [
    'is ready with no replicas, if none are asked for',
    {
      workload: workload({ replicas: 0 }),
      newest: succeeded,
      instances: [instance('a', { ...settled, readyReplicas: 0 })],
    },
    {
      Ready: 'True converged No replicas are asked for',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'False converged ',
    },
  ],
  [
    'is not done before the other slot is gone',
    {
      newest: rollout({ release: 1 }, { phase: 'succeeded', stable: 'b' }),
      instances: [instance('a', settled), instance('b', settled)],
    },
    {
      Ready: 'True converged 1 of 1 replica is ready',
      Progressing: 'True cleaning waiting for slot a to be removed',
      Degraded: 'False converged ',
    },
  ],
  [
    'says that somebody else changed something',
    { newest: succeeded, instances: [instance('a', { ...settled, drift: ['spec.replicas'] })] },
    {
      Ready: 'True converged 1 of 1 replica is ready',
      Progressing: 'False converged Nothing left to do',
      Degraded: 'True drift Somebody changed spec.replicas on the engine',
    },
  ],
]

const look = (more: Partial<Looked>): Looked => ({ workload: workload(), newest: undefined, instances: [], ...more })

describe('what is said of a workload', () => {
  it.each(rows)('%s', (_, looked, said) => {
    const status = statusOf(look(looked), {}, epoch)
    const text = (type: string): string => {
      const { status: is, reason, message } = conditionOf({ status }, type) ?? { status: '', reason: '', message: '' }
      return `${is} ${reason} ${message}`
    }
    expect({ Ready: text('Ready'), Progressing: text('Progressing'), Degraded: text('Degraded') }).toEqual(said)
  })

  it('names what runs, what failed, and which slot is trusted', () => {
    const newest = rollout({ number: 2, release: 2, from: 1 }, { phase: 'rolled_back', stable: 'b', failure })
    const looked = look({ newest, instances: [instance('b', settled)] })
    expect(statusOf(looked, { rollout: 'web-r2' }, epoch)).toMatchObject({
      release: 1,
      failedRelease: 2,
      stable: 'b',
      rollout: 'web-r2',
      state: 'running',
      readyReplicas: 1,
    })
  })

  it('keeps since when something is so, until it is not', () => {
    const looked = look({ newest: succeeded, instances: [instance('a', settled)] })
    const first = statusOf(looked, {}, epoch)
    const known = workload({}, { status: first })
    const later = statusOf({ ...looked, workload: known }, {}, epoch + 60_000)
    expect(later).toEqual(first)
    const worse = statusOf(
      { ...looked, workload: known, instances: [instance('a', { ...settled, blind })] },
      {},
      epoch + 60_000,
    )
    expect(conditionOf({ status: worse }, 'Ready')?.since).toBe(new Date(epoch + 60_000).toISOString())
  })
})
