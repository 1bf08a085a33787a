import { describe, expect, it } from 'vitest'
import { workloadKind } from './workload.ts'

const complete = (spec: object) =>
  workloadKind.parse({ apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'x' }, spec }).spec

const web = { name: 'web' }
const volume = { name: 'data', path: '/data' }

describe('defaults that follow from other fields', () => {
  it.each([
    ['deployment', 'ephemeral'],
    ['stateful_set', 'persistent'],
  ])('a volume of a %s is %s', (type, expected) => {
    const { services } = complete({ type, services: [{ ...web, volumes: [volume] }] })
    expect(services[0]?.volumes[0]).toEqual({ ...volume, type: expected, retain: true })
  })

  it('a volume keeps the type that it was given', () => {
    const { services } = complete({
      type: 'stateful_set',
      services: [{ ...web, volumes: [{ ...volume, type: 'memory' }] }],
    })
    expect(services[0]?.volumes[0]?.type).toBe('memory')
  })

  it('an init service is waited for until it completes, any other until it starts', () => {
    const sidecar = { name: 'log', role: 'sidecar', dependsOn: [{ service: 'web' }, { service: 'setup' }] }
    const { services } = complete({ services: [web, { name: 'setup', role: 'init' }, sidecar] })
    expect(services[2]?.dependsOn.map(({ until }) => until)).toEqual(['started', 'completed'])
  })

  it('an empty role is main', () => {
    expect(complete({ services: [{ ...web, role: '' }] }).services[0]?.role).toBe('main')
  })

  it.each<[string, object, object]>([
    ['a deployment adds one first', {}, { maxSurge: 1, maxUnavailable: 0 }],
    ['a stateful set takes one away first', { type: 'stateful_set' }, { maxSurge: 0, maxUnavailable: 1 }],
    ['no surge means one away', { strategy: { maxSurge: 0 } }, { maxSurge: 0, maxUnavailable: 1 }],
    ['one away does not forbid a surge', { strategy: { maxUnavailable: 2 } }, { maxSurge: 1, maxUnavailable: 2 }],
  ])('rolling: %s', (_, spec, expected) => {
    expect(complete({ services: [web], ...spec }).strategy).toMatchObject({ type: 'rolling', ...expected })
  })

  it('rolling: a port of the machine cannot be held twice, so one is taken away first', () => {
    const ports = [{ name: 'http', port: 80, hostPort: 8080 }]
    expect(complete({ services: [{ ...web, ports }] }).strategy).toMatchObject({ maxSurge: 0, maxUnavailable: 1 })
  })

  it.each<[object, object]>([
    [{ type: 'recreate' }, {}],
    [{ type: 'blue_green' }, { autoPromote: true, warmSeconds: 0 }],
    [
      { type: 'canary' },
      {
        steps: [
          { weight: 10, pauseSeconds: 60 },
          { weight: 50, pauseSeconds: 60 },
        ],
      },
    ],
    [
      { type: 'canary', steps: [{ weight: 5, manual: true }], analysis: {} },
      { steps: [{ weight: 5, manual: true }], analysis: { maxErrorRate: 0.05, minRequests: 20 } },
    ],
  ])('%j has its own fields and no others', (strategy, own) => {
    const gates = { minReadySeconds: 2, progressDeadlineSeconds: 120, onFailure: 'rollback' }
    expect(complete({ services: [web], strategy }).strategy).toEqual({ ...strategy, ...own, ...gates })
  })
})
