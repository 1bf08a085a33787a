import { describe, expect, it } from 'vitest'
import { plain } from '../../output/style.ts'
import { at, epoch, type WorkloadMore, workload } from '../../progress/testing/samples.ts'
import { type HealthWord, healthOf } from './health.ts'
import { statusText } from './render.ts'

const progressing = { Progressing: ['True', 'rolling_out', 'Rolling out v2: waiting for v2 to be ready'] } as const
const degraded = {
  Degraded: ['True', 'rollout_stalled', 'v2 failed (web ended with exit code 3), running v1'],
} as const

describe('a workload in a word', () => {
  it.each<[HealthWord, WorkloadMore]>([
    ['ready', {}],
    ['rolling out', { said: progressing }],
    ['degraded', { said: { ...progressing, ...degraded } }],
    ['paused', { said: { Progressing: ['False', 'paused', 'paused'] } }],
    ['not ready', { said: { Ready: ['False', 'not_ready', '1 of 2 replicas are ready'] } }],
    ['stopped', { spec: { run: 'stopped' }, said: { Ready: ['False', 'stopped', 'Stopped, as asked for'] } }],
    ['unknown', { said: { Ready: ['Unknown', 'engine_unreachable', 'could not look'] } }],
    ['unknown', { status: { conditions: undefined } }],
    ['leaving', { metadata: { deletionRequestedAt: at(0) } }],
  ])('is %s', (word, more) => {
    expect(healthOf(workload(more)).state).toBe(word)
  })
})

describe('the tenant at a glance', () => {
  it('is a line for each workload, and a sentence for what is wrong', () => {
    const workloads = [
      workload(),
      workload({ metadata: { name: 'api' }, said: degraded, status: { readyReplicas: 1 } }),
      workload({
        metadata: { name: 'job' },
        said: { Ready: ['Unknown', 'x', 'could not look'] },
        status: { readyReplicas: undefined },
      }),
    ].map(healthOf)
    const providers = [{ name: 'local', type: 'local', ready: 'Unknown' as const, default: true, location: {} }]
    const glance = { tenant: 'default', server: 'http://127.0.0.1:7400', workloads, providers }
    expect(
      statusText(glance, epoch + 600_000, 80, plain),
    ).toBe(`Tenant default at http://127.0.0.1:7400: 3 workloads, 1 ready

WORKLOAD   STATE      READY   RELEASE   SINCE
web        ready      2/2     v2        10m
api        degraded   1/2     v2        10m
job        unknown    ?/2     v2        10m

! api, since 10m: v2 failed (web ended with exit code 3), running v1
! job, since 10m: could not look
! provider local could not be looked at; "gantry describe provider local" says
  why
`)
  })

  it('says what to do where there is nothing yet', () => {
    const glance = { tenant: 'x', server: 's', workloads: [], providers: [] }
    expect(statusText(glance, epoch, 80, plain)).toBe(
      'Tenant x at s: no workloads yet; "gantry up" starts those of ./gantry.yaml\n',
    )
  })
})
