import { describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../contract/kit.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { checkDesired, type Machine, unenforced } from './check.ts'

const kit = new Kit(await simulatedHarness())
const machine: Machine = {
  enforces: ['cpuMillis', 'memoryBytes', 'pids'],
  userOf: () => ({ uid: 210_007, gid: 210_007 }),
  allowed: [{ uid: 1000, gid: 1000 }],
}
const without: Machine = { ...machine, enforces: [] }

type Service = Parameters<Kit['service']>[1]
const web = (more: Service = {}) => ({ name: 'web', command: ['web'], ...more })
const desired = (more: Service, spec: SpecInput = {}) => kit.desired({ services: [web(more)], ...spec })
const paths = (more: Service, spec: SpecInput = {}, on = machine): string[] =>
  checkDesired(desired(more, spec), on).map(({ path }) => path.replace('spec.services[0].', ''))

const nested = [{ name: 'data', path: '/data' }]

describe('what the local engine refuses', () => {
  it.each<[string, Service, SpecInput, Machine, string[]]>([
    ['nothing of a plain program', {}, {}, machine, []],
    ['an image', { image: 'app:1' }, {}, machine, ['image']],
    ['no program', { command: [] }, {}, machine, ['command']],
    [
      'gRPC checks',
      { ports: [{ name: 'g', port: 1 }], healthCheck: { grpc: { port: 'g' } } },
      {},
      machine,
      ['healthCheck.grpc'],
    ],
    ['graphics processors', { resources: { gpu: { count: 1 } } }, {}, machine, ['resources.gpu']],
    ['disk limits', { resources: { disk: '1Gi', cpu: '1' } }, {}, machine, ['resources.disk']],
    [
      'limits that nothing holds',
      { resources: { cpu: '1', memory: '1Gi', pids: 5 } },
      {},
      without,
      ['resources.cpu', 'resources.memory', 'resources.pids'],
    ],
    ['no limits with bestEffort', { resources: { cpu: '1', disk: '1Gi', bestEffort: true } }, {}, without, []],
    ['requests', { requests: { cpu: '1' } }, {}, machine, ['requests.cpu']],
    ['exposure', {}, { expose: 'node' }, machine, ['spec.expose']],
    ['a user that is not allowed', { user: '0:0' }, {}, machine, ['user']],
    ['a user by name', { user: 'root' }, {}, machine, ['user']],
    ['no user that is allowed', { user: '1000:1000' }, {}, machine, []],
    ['no user that it would be anyway', { user: '210007' }, {}, machine, []],
    [
      'a volume in a volume',
      { volumes: [...nested, { name: 'inner', path: '/data/inner' }] },
      {},
      machine,
      ['volumes[1].path'],
    ],
    [
      'a file in a volume',
      { volumes: nested, configFiles: [{ name: 'app', path: '/data/app', content: '' }] },
      {},
      machine,
      ['configFiles[0].path'],
    ],
    [
      'no neighbour of a volume',
      { volumes: nested, configFiles: [{ name: 'app', path: '/data-app', content: '' }] },
      {},
      machine,
      [],
    ],
  ])('%s', (_what, service, spec, on, expected) => {
    expect(paths(service, spec, on)).toEqual(expected)
  })

  it('a port of the machine for two', () => {
    const two = { ...desired({ ports: [{ name: 'http', port: 80, hostPort: 80 }] }), replicas: 2 }
    expect(checkDesired(two, machine).map(({ path }) => path)).toEqual(['spec.services[0].ports[0].hostPort'])
  })

  it('says with every refusal what to do instead', () => {
    const issues = checkDesired(desired({ image: 'app:1', user: 'root' }, { expose: 'node' }), machine)
    expect(issues.map(({ message }) => message.includes(';'))).toEqual([true, true, true])
  })
})

describe('what the local engine takes and does not enforce', () => {
  it('is what it would refuse without bestEffort, sizes of volumes, and where a process listens', () => {
    const ports = [{ name: 'http', port: 80, hostPort: 80 }]
    const volumes = [{ name: 'data', path: '/data', size: '1Gi' }]
    const resources = { cpu: '1', disk: '1Gi', bestEffort: true }
    const names = unenforced(desired({ resources, volumes, ports }), without)
    expect(names.map((name) => name.replace('spec.services[0].', ''))).toEqual([
      'resources.cpu',
      'resources.disk',
      'volumes[0].size',
      'ports[0].bind',
    ])
  })
})
