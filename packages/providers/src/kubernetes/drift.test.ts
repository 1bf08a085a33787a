import { describe, expect, it } from 'vitest'
import { contentHash } from '../content-hash.ts'
import type { KubeObject } from './api/types/meta.ts'
import { changedPlaces } from './drift.ts'
import { driftOf, workloadDrift } from './drift-paths.ts'
import { annotation } from './observe/record.ts'
import { planInstance } from './plan/instance.ts'
import { desiredOf, type ServiceInput, settings, web } from './plan/testing/desired.ts'

const services: ServiceInput[] = [
  {
    ...web,
    ports: [{ name: 'http', port: 80 }],
    env: { A: '1', B: '2' },
    resources: { cpu: '500m', memory: '1Gi', gpu: { count: 1 } },
    requests: { cpu: '100m' },
    healthCheck: { tcp: { port: 'http' } },
    volumes: [{ name: 'tmp', path: '/tmp', size: '1Gi' }],
    user: '1:1',
  },
  { ...web, name: 'side', role: 'sidecar' },
]
const desired = desiredOf({ replicas: 2, services, engine: { kubernetes: { nodeSelector: { a: 'b' } } } })
const { workload, others } = planInstance(desired, settings)

type Step = string | number

/** As it comes back from a server where somebody has put this there; `undefined` takes it away. */
function changed(value: unknown, [first, ...rest]: readonly Step[], to: unknown): unknown {
  if (first === undefined) return to
  if (Array.isArray(value)) return value.map((each, at) => (at === first ? changed(each, rest, to) : each))
  const record = { ...(value as Record<string, unknown>) }
  record[first] = changed(record[first], rest, to)
  return record
}

const live = (path: readonly Step[], to: unknown, from: KubeObject = workload.body): KubeObject =>
  changed(from, path, to) as KubeObject

const template = ['spec', 'template', 'spec'] as const
const container = [...template, 'containers', 0] as const

describe('what somebody else has changed', () => {
  it.each<[string, readonly Step[], unknown, string]>([
    ['how many there are', ['spec', 'replicas'], 5, 'spec.replicas'],
    ['how they are replaced', ['spec', 'strategy', 'type'], 'Recreate', 'spec.strategy'],
    ['how long one must be ready', ['spec', 'minReadySeconds'], 99, 'spec.strategy.minReadySeconds'],
    ['an image', [...container, 'image'], 'app:2', 'spec.services[0].image'],
    ['the image of another', [...template, 'containers', 1, 'image'], 'app:2', 'spec.services[1].image'],
    ['a variable', [...container, 'env', 2, 'value'], 'x', 'spec.services[0].env.A'],
    ['all variables, taken away', [...container, 'env'], undefined, 'spec.services[0].env.PORT'],
    ['a limit', [...container, 'resources', 'limits', 'cpu'], '2', 'spec.services[0].resources.cpu'],
    ['all limits', [...container, 'resources', 'limits'], undefined, 'spec.services[0].resources'],
    ['what is set aside', [...container, 'resources', 'requests', 'memory'], '1', 'spec.services[0].requests.memory'],
    ['processors', [...container, 'resources', 'limits', 'nvidia.com/gpu'], '2', 'spec.services[0].resources.gpu'],
    ['a check', [...container, 'readinessProbe', 'periodSeconds'], 9, 'spec.services[0].healthCheck'],
    ['a user', [...container, 'securityContext', 'runAsUser'], 0, 'spec.services[0].user'],
    ['a mount', [...container, 'volumeMounts', 0, 'name'], 'x', 'spec.services[0].volumes'],
    ['the wait before a stop', [...container, 'lifecycle'], undefined, 'spec.services[0]'],
    ['a whole service, taken away', [...template, 'containers'], [], 'spec.services[0]'],
    ['the grace', [...template, 'terminationGracePeriodSeconds'], 1, 'spec.stopGraceSeconds'],
    ['where it goes', [...template, 'nodeSelector', 'a'], 'c', 'spec.engine.kubernetes.nodeSelector'],
    ['a volume', [...template, 'volumes', 0, 'emptyDir', 'sizeLimit'], '2Gi', 'spec.services'],
    ['a label of ours', ['metadata', 'labels', 'gantry.dev/release'], 'x', 'metadata.labels'],
    ['what we wrote down', ['metadata', 'annotations', 'gantry.dev/wishes'], '{}', 'spec'],
  ])('is found by its path: %s', (_, path, to, expected) => {
    expect(driftOf(desired, workload, live(path, to))[0]).toBe(expected)
  })

  it('is nothing where all is as we said, in whatever words', () => {
    expect(driftOf(desired, workload, workload.body)).toEqual([])
    expect(driftOf(desired, workload, live([...container, 'resources', 'limits', 'memory'], '1024Mi'))).toEqual([])
    expect(driftOf(desired, workload, live([...container, 'resources', 'limits', 'cpu'], '0.5'))).toEqual([])
    expect(driftOf(desired, workload, live([...template, 'volumes', 0, 'emptyDir', 'sizeLimit'], '1024Mi'))).toEqual([])
  })

  it('is not what others have added, nor what the server fills in', () => {
    for (const [path, to] of [
      [['status'], { replicas: 2 }],
      [['metadata', 'labels', 'theirs'], 'yes'],
      [[...template, 'dnsPolicy'], 'ClusterFirst'],
      [[...container, 'terminationMessagePath'], '/dev/termination-log'],
    ] as const) {
      expect(driftOf(desired, workload, live(path, to))).toEqual([])
    }
    const injected = live([...container, 'env'], [{ name: 'INJECTED', value: '1' }, ...envOf(workload.body)])
    expect(driftOf(desired, workload, injected)).toEqual([])
  })

  it('is each once, however much of it there is', () => {
    const twice = live([...container, 'readinessProbe'], undefined, live([...container, 'startupProbe'], undefined))
    expect(driftOf(desired, workload, twice)).toEqual(['spec.services[0].healthCheck'])
  })

  it('is also what was done to a Service', () => {
    const [service] = others
    if (!service) throw new Error('no service')
    expect(driftOf(desired, service, live(['spec', 'type'], 'NodePort', service.body))).toEqual(['spec.expose'])
    expect(driftOf(desired, service, live(['spec', 'ports', 0, 'targetPort'], 1, service.body))).toEqual([
      'spec.services',
    ])
  })

  it('takes an order that means something for what it is', () => {
    const applied = { ...workload.body, spec: { command: ['a', 'b'] } }
    expect(changedPlaces(applied, { ...applied, spec: { command: ['b', 'a'] } } as KubeObject)).toEqual([
      ['spec', 'command'],
    ])
    expect(changedPlaces(applied, { ...applied, spec: { command: ['a', 'b', 'c'] } } as KubeObject)).toEqual([
      ['spec', 'command'],
    ])
  })
})

function envOf(body: KubeObject): unknown[] {
  const { spec } = body as unknown as { spec: { template: { spec: { containers: { env: unknown[] }[] } } } }
  return spec.template.spec.containers[0]?.env ?? []
}

describe('a Deployment that somebody has changed', () => {
  const applied = (hash: string): KubeObject =>
    live(['metadata', 'annotations'], { ...workload.body.metadata.annotations, [annotation.applied]: hash })

  it('says what, where it was applied for what is desired now', () => {
    const ours = applied(contentHash(workload.body))
    expect(workloadDrift(desired, ours, settings)).toEqual([])
    expect(workloadDrift(desired, live(['spec', 'replicas'], 7, ours), settings)).toEqual(['spec.replicas'])
  })

  it('says nothing where it was applied for something else, which has not got there yet', () => {
    expect(workloadDrift(desired, live(['spec', 'replicas'], 7, applied('before')), settings)).toEqual([])
  })
})
