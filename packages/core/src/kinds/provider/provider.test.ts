import { describe, expect, it } from 'vitest'
import type { Condition } from '../../object.ts'
import { providerKind } from './provider.ts'
import { servesTenant } from './spec.ts'

const provider = (spec: object = { type: 'local' }, metadata: object = {}) => ({
  apiVersion: 'gantry/v1',
  kind: 'Provider',
  metadata: { name: 'here', ...metadata },
  spec,
})

const docker = (settings: object) => ({ type: 'docker', docker: settings })
const kubernetes = (settings: object, more: object = {}) => ({ type: 'kubernetes', kubernetes: settings, ...more })

describe('a provider', () => {
  it('is for the first tenant unless others are named', () => {
    expect(providerKind.parse(provider()).spec).toEqual({ type: 'local', tenants: ['default'], location: {} })
  })

  it('may be the one for workloads that name none', () => {
    expect(providerKind.parse(provider({ type: 'local', default: true })).spec.default).toBe(true)
  })

  it('may be for nobody, while it is looked after', () => {
    expect(providerKind.parse(provider({ type: 'local', tenants: [] })).spec.tenants).toEqual([])
  })

  it('says where it is', () => {
    const location = { region: 'eu-central', country: 'Deutschland', city: 'Nürnberg', latitude: 49.45, longitude: 11 }
    expect(providerKind.parse(provider({ type: 'local', location })).spec.location).toEqual(location)
  })

  it.each<[string, object, string, RegExp]>([
    ['no type', {}, 'spec.type', /is required/],
    ['a type that is no name', { type: 'Docker Engine' }, 'spec.type', /lower case/],
    ['a misspelt field', { type: 'local', tenant: [] }, 'spec.tenant', /did you mean "tenants"/],
    ['a connection', { type: 'local', connection: {} }, 'spec.connection', /reserved/],
    ['a tenant that is no name', { type: 'local', tenants: ['Shop'] }, 'spec.tenants[0]', /lower case|one of/],
    ['tenants as text', { type: 'local', tenants: 'shop' }, 'spec.tenants', /must be a list/],
    ['a tenant twice', { type: 'local', tenants: ['a', 'b', 'a'] }, 'spec.tenants[2]', /twice: a/],
    ['everybody twice', { type: 'local', tenants: ['*', '*'] }, 'spec.tenants[1]', /twice/],
    ['everybody beside somebody', { type: 'local', tenants: ['a', '*'] }, 'spec.tenants[1]', /every tenant/],
    [
      'settings of another',
      { type: 'local', docker: {} },
      'spec.docker',
      /of type docker, and this one is of type local/,
    ],
    ['an address of the web', docker({ endpoint: 'http://a:1' }), 'spec.docker.endpoint', /unix:.*tcp:/],
    ['a socket that is nowhere', docker({ endpoint: 'unix://docker.sock' }), 'spec.docker.endpoint', /unix:.*tcp:/],
    ['a port that is none', docker({ endpoint: 'tcp://127.0.0.1:65536' }), 'spec.docker.endpoint', /1 to 65535/],
    ['a way that is open to all', docker({ endpoint: 'tcp://10.0.0.5:2375' }), 'spec.docker.tls', /take it over/],
    ['a name of this machine', docker({ endpoint: 'tcp://127.evil.example' }), 'spec.docker.tls', /take it over/],
    ['a certificate for a socket', docker({ tls: { secret: 'east' } }), 'spec.docker.tls', /is for tcp/],
    ['a key in plain sight', docker({ tls: { secret: 'east', key: 'PEM' } }), 'spec.docker.tls.key', /is not a field/],
    ['folders by half a name', docker({ hostFolders: ['data'] }), 'spec.docker.hostFolders[0]', /absolute path/],
    ['half a range', docker({ subnets: '10.120.3.0/16' }), 'spec.docker.subnets', /10\.120\.0\.0\/16/],
    ['a range of one', docker({ subnets: '10.120.0.0/30' }), 'spec.docker.subnets', /from \/8 to \/24/],
    ['settings of Docker for a cluster', { type: 'kubernetes', docker: {} }, 'spec.docker', /this one is of type kub/],
    ['a cluster for Docker', { type: 'docker', kubernetes: {} }, 'spec.kubernetes', /of type kubernetes, and this/],
    ['a kubeconfig that is nowhere', kubernetes({ kubeconfig: {} }), 'spec.kubernetes.kubeconfig', /has neither/],
    [
      'a kubeconfig at two places',
      kubernetes({ kubeconfig: { path: '/etc/kube', secret: { name: 'east' } } }),
      'spec.kubernetes.kubeconfig',
      /has both/,
    ],
    [
      'a kubeconfig by half a path',
      kubernetes({ kubeconfig: { path: 'kube' } }),
      'spec.kubernetes.kubeconfig.path',
      /absolute path/,
    ],
    [
      'a kubeconfig in plain sight',
      kubernetes({ kubeconfig: { secret: { name: 'east' }, text: 'x' } }),
      'spec.kubernetes.kubeconfig.text',
      /is not a field/,
    ],
    [
      'another cluster than the one around',
      kubernetes({ inCluster: true, kubeconfig: { path: '/etc/kube' } }),
      'spec.kubernetes.kubeconfig',
      /inCluster/,
    ],
    ['a context of the pod', kubernetes({ inCluster: true, context: 'a' }), 'spec.kubernetes.context', /inCluster/],
    [
      'namespaces both ways',
      kubernetes({ namespace: 'apps', namespacePrefix: 'gantry' }),
      'spec.kubernetes.namespacePrefix',
      /all share one/,
    ],
    [
      'a registry by its address',
      kubernetes({ insecureRegistries: ['http://registry.inside'] }),
      'spec.kubernetes.insecureRegistries[0]',
      /must be a host/,
    ],
    ['a namespace in capitals', kubernetes({ namespace: 'Apps' }), 'spec.kubernetes.namespace', /lower case/],
    [
      'a right for a tenant that may not come',
      kubernetes({ allow: { clusterScoped: ['ops'] } }),
      'spec.kubernetes.allow.clusterScoped[0]',
      /"ops" is not among spec.tenants/,
    ],
    [
      'a namespace for a tenant that may not come',
      kubernetes({ allow: { namespaces: { ops: ['kube-system'] } } }),
      'spec.kubernetes.allow.namespaces.ops',
      /"ops" is not among spec.tenants/,
    ],
    ['a drain without end', kubernetes({ drainSeconds: 301 }), 'spec.kubernetes.drainSeconds', /at most 300/],
    ['another way to reach it', kubernetes({ reach: 'vpn' }), 'spec.kubernetes.reach', /one of auto, direct, tunnel/],
    ['half a place', { type: 'local', location: { latitude: 1 } }, 'spec.location.longitude', /required, because lat/],
    [
      'the other half',
      { type: 'local', location: { longitude: 0 } },
      'spec.location.latitude',
      /required, because lon/,
    ],
    [
      'a place beyond the pole',
      { type: 'local', location: { latitude: 91, longitude: 0 } },
      'spec.location.latitude',
      /at most 90/,
    ],
  ])('is refused with the path: %s', (_, spec, path, message) => {
    expect(providerKind.check(provider(spec))).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  it('of type docker listens where Docker does, unless it says where', () => {
    expect(providerKind.parse(provider({ type: 'docker' })).spec.docker).toEqual({
      endpoint: 'unix:///var/run/docker.sock',
    })
  })

  it.each([
    [{ endpoint: 'unix:///run/user/1000/docker.sock' }],
    [{ endpoint: 'tcp://127.0.0.1:2375' }],
    [{ endpoint: 'tcp://[::1]:2375' }],
    [{ endpoint: 'tcp://localhost' }],
    [{ endpoint: 'tcp://docker-2.east.example:2376', tls: { secret: 'east' }, subnets: '10.120.0.0/16' }],
    [{ endpoint: 'tcp://[fd00::5]:2376', tls: { secret: 'east', tenant: 'ops' } }],
  ])('of type docker may be at %j', (settings) => {
    expect(providerKind.check(provider(docker(settings)))).toEqual([])
  })

  it('names whose secret its certificate is', () => {
    const { spec } = providerKind.parse(provider(docker({ endpoint: 'tcp://east:2376', tls: { secret: 'east' } })))
    expect(spec.docker?.tls).toEqual({ secret: 'east', tenant: 'default' })
  })

  it('of type kubernetes drains for six seconds and is reached as it turns out, unless it says otherwise', () => {
    expect(providerKind.parse(provider({ type: 'kubernetes' })).spec.kubernetes).toEqual({
      drainSeconds: 6,
      reach: 'auto',
    })
  })

  it('names whose secret its kubeconfig is, and under which key', () => {
    const { spec } = providerKind.parse(provider(kubernetes({ kubeconfig: { secret: { name: 'east' } } })))
    expect(spec.kubernetes?.kubeconfig).toEqual({ secret: { name: 'east', tenant: 'default', key: 'kubeconfig' } })
  })

  it.each([
    [kubernetes({ inCluster: true })],
    [kubernetes({ kubeconfig: { path: '/etc/kube/config' }, context: 'arn:aws:eks:eu:1:cluster/a b' })],
    [kubernetes({ kubeconfig: { secret: { name: 'east', tenant: 'ops', key: 'admin.conf' } }, namespace: 'apps' })],
    [kubernetes({ allow: { clusterScoped: ['default'], namespaces: { default: ['monitoring'] } } })],
    [kubernetes({ allow: { clusterScoped: ['*', 'ops'] } }, { tenants: ['*'] })],
    [kubernetes({ insecureRegistries: ['registry.inside:5000', '10.0.0.1', '[fd00::1]:5000'] })],
    [kubernetes({ imagePullSecrets: ['east.registry'], labels: { team: 'web' }, helm: '/usr/local/bin/helm' })],
  ])('of type kubernetes may be %j', (spec) => {
    expect(providerKind.check(provider(spec))).toEqual([])
  })

  it('belongs to no tenant', () => {
    expect(providerKind.check(provider(undefined, { tenant: 'shop' }))[0]?.path).toBe('metadata.tenant')
  })

  it.each<[string[], string, boolean]>([
    [['shop'], 'shop', true],
    [['shop'], 'sho', false],
    [['*'], 'anybody', true],
    [[], 'shop', false],
  ])('for %j serves %s: %s', (tenants, tenant, served) => {
    expect(servesTenant({ tenants }, tenant)).toBe(served)
  })

  it.each<[readonly Condition[] | undefined, string]>([
    [undefined, 'unknown'],
    [[], 'unknown'],
    [[condition('Unknown')], 'unknown'],
    [[condition('True')], 'yes'],
    [[condition('False')], 'no'],
  ])('that was seen as %j is ready: %s', (conditions, word) => {
    const manifest = providerKind.parse(provider())
    const object = {
      ...manifest,
      metadata: { ...stored, ...manifest.metadata },
      status: conditions ? { conditions } : {},
    }
    expect(providerKind.columns.map(({ value }) => value(object as Shown))).toEqual([
      'local',
      word,
      '-',
      '-',
      'default',
    ])
  })
})

type Shown = Parameters<(typeof providerKind.columns)[number]['value']>[0]

function condition(status: Condition['status']): Condition {
  return { type: 'Ready', status, reason: 'looked', message: '', since: '2026-01-01T00:00:00Z' }
}

const stored = {
  uid: 'u',
  generation: 1,
  resourceVersion: 1,
  ownerRefs: [],
  finalizers: [],
  createdAt: '2026-01-01T00:00:00Z',
}
