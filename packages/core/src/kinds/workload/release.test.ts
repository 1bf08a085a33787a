import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryWorkload } from '../../testing/arbitrary-workload.ts'
import { everyField } from '../../testing/every-field.ts'
import { parseObjects } from '../parse-objects.ts'
import { releaseHash } from './release.ts'
import type { WorkloadSpec } from './spec.ts'
import { workloadKind } from './workload.ts'

const spec = parseObjects(everyField)[0]?.spec as WorkloadSpec
const secretVersions = { database: 3, tls: 1 }
const before = releaseHash({ services: spec.services, secretVersions })

/** The hash of the same services with the first one changed. */
function after(change: object): string {
  const [web, ...others] = spec.services
  return releaseHash({ services: [{ ...web, ...change } as WorkloadSpec['services'][0], ...others], secretVersions })
}

describe('the hash of a release', () => {
  it('stays what it is from version to version, or an upgrade would roll out everything', () => {
    expect(before).toBe('ebc5ed73f59e4ce0d9abf4948ca901e6ca5971fff0936199db7db9dc8c03e41b')
  })

  it.each<[string, object]>([
    ['image', { image: 'registry/app:1.3' }],
    ['env', { env: { ...spec.services[0]?.env, GREETING: 'hi' } }],
    ['command', { command: ['node', 'other.mjs'] }],
    [
      'config',
      { configFiles: [{ name: 'app', path: '/etc/app.yaml', format: 'yaml', content: 'a: 2', mode: '0444' }] },
    ],
    ['resources', { resources: { ...spec.services[0]?.resources, cpu: '251m' } }],
    ['requests', { requests: {} }],
    ['probes', { healthCheck: undefined }],
    ['ports', { ports: [] }],
    ['volumes', { volumes: [] }],
    ['secrets', { secrets: [] }],
    ['role', { role: 'sidecar' }],
    ['user', { user: '1001' }],
    ['annotations', { annotations: { a: 'b' } }],
    ['workingDir', { workingDir: '/srv' }],
    ['dependsOn', { dependsOn: [] }],
  ])('changes with %s', (_, change) => {
    expect(after(change)).not.toBe(before)
  })

  it.each<[string, object]>([
    ['a source', {}],
    ['its chart', { chart: { path: '/charts/other' } }],
    ['its values', { values: { a: 1 } }],
    ['whether it waits', { wait: false, atomic: false }],
  ])('changes with %s', (_, change) => {
    const helm = { chart: { path: '/charts/web' }, valuesFiles: [], values: {}, set: {}, wait: true, atomic: true }
    const options = { timeoutSeconds: 300, hooks: true, crds: true }
    const was = Object.keys(change).length === 0 ? {} : { source: { helm: { ...helm, ...options } } }
    const is = { source: { helm: { ...helm, ...options, ...change } } }
    expect(releaseHash({ services: [], secretVersions, ...is })).not.toBe(
      releaseHash({ services: [], secretVersions, ...was }),
    )
  })

  it('changes with the version of a secret that is used, and not with that of another', () => {
    expect(releaseHash({ services: spec.services, secretVersions: { database: 4, tls: 1 } })).not.toBe(before)
    expect(releaseHash({ services: spec.services, secretVersions: { ...secretVersions, other: 9 } })).toBe(before)
    // Fetching an image again with new credentials is no reason to replace what runs.
    expect(releaseHash({ services: spec.services, secretVersions: { ...secretVersions, registry: 2 } })).toBe(before)
  })

  it('does not change with the order of what has none', () => {
    fc.assert(
      fc.property(arbitraryWorkload, ({ spec: { services } }) => {
        const turned = services.toReversed().map((service) => ({
          ...service,
          env: Object.fromEntries(Object.entries(service.env).reverse()),
          volumes: service.volumes.toReversed(),
          configFiles: service.configFiles.toReversed(),
          secrets: service.secrets.toReversed(),
          dependsOn: service.dependsOn.toReversed(),
        }))
        const versions = Object.fromEntries(
          services.flatMap(({ secrets }) => secrets.map(({ name }, at) => [name, at])),
        )
        const hash = releaseHash({ services, secretVersions: versions })
        expect(releaseHash({ services: turned, secretVersions: versions })).toBe(hash)
      }),
      { numRuns: 100 },
    )
  })

  it('changes with the order of ports, because the first is told as PORT', () => {
    const ports = [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ]
    expect(after({ ports })).not.toBe(after({ ports: ports.toReversed() }))
  })

  it('is the same for the same services of workloads that differ in everything else', () => {
    const read = (rest: object) =>
      workloadKind.parse({
        apiVersion: 'gantry/v1',
        kind: 'Workload',
        metadata: { name: 'x' },
        spec: { services: [{ name: 'web', resources: { cpu: 0.5 } }], ...rest },
      }).spec
    const hash = ({ services }: WorkloadSpec) => releaseHash({ services, secretVersions: {} })
    const changed = { replicas: 5, run: 'stopped', strategy: { type: 'recreate' }, restartStamp: 'now', expose: 'node' }
    expect(hash(read(changed))).toBe(hash(read({})))
  })
})
