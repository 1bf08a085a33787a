import { describe, expect, it } from 'vitest'
import type { Desired } from '../desired.ts'
import { checkDesired, planLimits } from './check.ts'
import { corpus } from './plan/testing/corpus.ts'
import { desiredOf, type ServiceInput, type SpecInput, settings, web } from './plan/testing/desired.ts'
import { unenforced } from './unenforced.ts'

const one = (more: Partial<ServiceInput>): SpecInput => ({ services: [{ ...web, ...more }] })
const side: ServiceInput = { ...web, name: 'side', role: 'sidecar' }
const issues = (spec: SpecInput, more: Partial<Desired> = {}, where = {}) =>
  checkDesired(desiredOf(spec, more), { ...settings, ...where })

describe('what Kubernetes cannot do', () => {
  it.each<[string, SpecInput, string, RegExp]>([
    ['no image', { services: [{ name: 'web' }] }, 'spec.services[0].image', /name an image/],
    ['a restart on failure', { restart: { policy: 'on_failure' } }, 'spec.restart.policy', /leave it at always/],
    ['no restart', { restart: { policy: 'never' } }, 'spec.restart.policy', /leave it at always/],
    ['a user by name', one({ user: 'nobody' }), 'spec.services[0].user', /uid:gid/],
    ['a group by name', one({ user: '1000:staff' }), 'spec.services[0].user', /numbers/],
    ['a user beyond all users', one({ user: 4_294_967_294 }), 'spec.services[0].user', /2147483647/],
    ['processes', one({ resources: { pids: 9 } }), 'spec.services[0].resources.pids', /bestEffort/],
    [
      'a graphics processor without its domain',
      one({ resources: { gpu: { count: 1, type: 'a100' } } }),
      'spec.services[0].resources.gpu.type',
      /nvidia\.com\/gpu/,
    ],
    [
      'a graphics processor that no node has',
      one({ resources: { gpu: { count: 1, type: 'amd.com/gpu' } } }),
      'spec.services[0].resources.gpu',
      /no node offers amd\.com\/gpu \(offered: nvidia\.com\/gpu, example\.com\/npu\)/,
    ],
    [
      'a folder of the node that is not to be had',
      one({ volumes: [{ name: 'h', path: '/h', type: 'host', source: '/etc' }] }),
      'spec.services[0].volumes[0].source',
      /only what is below \/srv\/shared/,
    ],
    [
      'a volume of a replica that is doubled',
      one({ volumes: [{ name: 'v', path: '/v', type: 'persistent' }] }),
      'spec.strategy',
      /"v" is one replica's alone; use type: stateful_set.*maxSurge 0/,
    ],
    [
      'a volume of a replica in two slots',
      { strategy: { type: 'blue_green' }, ...one({ volumes: [{ name: 'v', path: '/v', type: 'persistent' }] }) },
      'spec.strategy',
      /stateful_set/,
    ],
    [
      'a place with a colon',
      one({ volumes: [{ name: 'v', path: '/a:b' }] }),
      'spec.services[0].volumes[0].path',
      /colon/,
    ],
    [
      'a file with a colon',
      one({ configFiles: [{ name: 'f', path: '/a:b', content: '' }] }),
      'spec.services[0].configFiles[0].path',
      /colon/,
    ],
    [
      'a secret with a colon',
      one({ secrets: [{ name: 's', key: 'k', file: '/a:b' }] }),
      'spec.services[0].secrets[0].file',
      /colon/,
    ],
    [
      'a file that is too large in bytes',
      one({ configFiles: [{ name: 'f', path: '/f', content: 'ü'.repeat(600_000) }] }),
      'spec.services[0].configFiles[0].content',
      /1200000 bytes/,
    ],
    ['something exposed that nobody can ask', { expose: 'node' }, 'spec.expose', /give one a port/],
    [
      'two annotations of one key',
      {
        services: [
          { ...web, annotations: { a: '1' } },
          { ...side, annotations: { a: '2', b: '3' } },
        ],
      },
      'spec.services[1].annotations["a"]',
      /web says something else/,
    ],
    [
      'annotations without end',
      one({ annotations: Object.fromEntries([1, 2, 3, 4].map((at) => [`a${at}`, 'x'.repeat(65_536)])) }),
      'spec.services[0].annotations',
      /room for/,
    ],
    [
      'a gate that wants more than one success',
      {
        services: [
          { ...web, dependsOn: [{ service: 'side', until: 'healthy' }] },
          { ...side, healthCheck: { command: ['true'], successThreshold: 2 } },
        ],
      },
      'spec.services[1].healthCheck.successThreshold',
      /leave it at 1/,
    ],
    [
      'a toleration of nothing',
      { engine: { kubernetes: { tolerations: [{ effect: 'NoSchedule' }] } } },
      'spec.engine.kubernetes.tolerations[0].key',
      /required with Equal/,
    ],
    [
      'a toleration of a value and of all',
      { engine: { kubernetes: { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] } } },
      'spec.engine.kubernetes.tolerations[0].value',
      /Equal/,
    ],
    [
      'a toleration for a while of what waits for nobody',
      { engine: { kubernetes: { tolerations: [{ key: 'a', tolerationSeconds: 1 }] } } },
      'spec.engine.kubernetes.tolerations[0].tolerationSeconds',
      /NoExecute/,
    ],
  ])('is refused by its path with a way out: %s', (_, spec, path, message) => {
    expect(issues(spec)).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('is said all at once', () => {
    const spec = {
      ...one({ user: 'me', resources: { pids: 1 } }),
      restart: { policy: 'never' as const },
      expose: 'node' as const,
    }
    expect(issues(spec).map(({ path }) => path)).toEqual([
      'spec.restart.policy',
      'spec.expose',
      'spec.services[0].user',
      'spec.services[0].resources.pids',
    ])
  })

  it('is little else', () => {
    for (const [title, desired] of corpus) expect(checkDesired(desired, settings), title).toEqual([])
  })

  it('is a label that controllers of the cluster use themselves', () => {
    const labels = { 'pod-template-hash': 'x', team: 'web' }
    expect(issues({}, { labels }).map(({ path }) => path)).toEqual(['metadata.labels["pod-template-hash"]'])
  })

  it('is nothing of what another source says itself', () => {
    const source = { type: 'manifests', text: '' } as const
    expect(issues({ restart: { policy: 'never' } }, { source, services: [] })).toEqual([])
  })

  it('is a persistent volume of nobody who is replaced one at a time', () => {
    const volumes = [{ name: 'v', path: '/v', type: 'persistent' as const }]
    expect(issues({ strategy: { type: 'recreate' }, ...one({ volumes }) })).toEqual([])
    expect(issues({ strategy: { maxSurge: 0 }, ...one({ volumes }) })).toEqual([])
    expect(issues({ type: 'stateful_set', ...one({ volumes }) })).toEqual([])
  })
})

describe('an older cluster', () => {
  const old = { serverVersion: { minor: 28 } }

  it('lets nobody wait for what goes on, and says so', () => {
    const spec = { services: [{ ...web, dependsOn: [{ service: 'side' }] }, side] }
    expect(issues(spec, {}, old)).toEqual([
      { path: 'spec.services[0].dependsOn[0]', message: expect.stringMatching(/1\.28 has no native sidecars/) },
    ])
    const inits = {
      services: [
        { ...web, dependsOn: [{ service: 'i' }] },
        { ...side, name: 'i', role: 'init' as const },
      ],
    }
    expect(issues(inits, {}, old)).toEqual([])
  })

  it('has its limits told, and a new one hardly any', () => {
    expect(planLimits({ ...settings, ...old })).toEqual([
      expect.stringMatching(/dependsOn/),
      expect.stringMatching(/requests may fail/),
      expect.stringMatching(/pids/),
    ])
    expect(planLimits(settings)).toHaveLength(1)
  })
})

describe('what is asked for and not held to', () => {
  it('is shown by path', () => {
    const resources = { cpu: '1', memory: '1Gi', disk: '1Gi', pids: 9, bestEffort: true }
    const volumes: ServiceInput['volumes'] = [
      { name: 'a', path: '/a', size: '1Gi' },
      { name: 'h', path: '/h', type: 'host', source: '/srv/shared', size: '1Gi' },
    ]
    expect(unenforced(desiredOf(one({ resources, volumes })))).toEqual([
      'spec.services[0].resources.pids',
      'spec.services[0].volumes[1].size',
    ])
  })
})
