import { describe, expect, it } from 'vitest'
import { Kit, type SpecInput } from '../contract/kit.ts'
import { simulatedHarness } from '../testing/simulated-harness.ts'
import { checkDesired, unenforced } from './check.ts'
import type { Machine } from './machine.ts'

const kit = new Kit(await simulatedHarness())
const able: Machine = { enforces: new Set(['cpu', 'memory', 'pids', 'disk']), gpu: true, hostFolders: ['/srv'] }
const bare: Machine = { enforces: new Set(), gpu: false, hostFolders: [] }
const web = { name: 'web', image: 'app:1' }
type Service = NonNullable<SpecInput['services']>[number]

const paths = (service: Partial<Service>, machine = able) =>
  checkDesired(kit.desired({ services: [{ ...web, ...service }] }), machine).map(({ path }) => path)

const at = (field: string): string => `spec.services[0].${field}`

describe('what cannot be had', () => {
  it('is nothing where nothing is asked for', () => {
    expect(paths({}, bare)).toEqual([])
  })

  it.each<[string, Partial<Service>, Machine]>([
    ['resources.disk', { resources: { disk: '1Gi' } }, { ...able, enforces: new Set(['cpu']) }],
    ['resources.cpu', { resources: { cpu: '1' } }, bare],
    ['resources.memory', { resources: { memory: '5Mi' } }, able],
    ['resources.gpu', { resources: { gpu: { count: 1 } } }, bare],
    ['resources.gpu.type', { resources: { gpu: { count: 1, type: 'big' } } }, able],
    ['healthCheck.grpc', { ports: [{ name: 'g', port: 1 }], healthCheck: { grpc: { port: 'g' } } }, able],
    ['volumes[0].source', { volumes: [{ name: 'v', path: '/v', type: 'host', source: '/srv2/x' }] }, able],
    ['volumes[0].source', { volumes: [{ name: 'v', path: '/v', type: 'host', source: '/srv' }] }, bare],
  ])('%s', (path, service, machine) => {
    expect(paths(service, machine)).toEqual([at(path)])
  })

  it('is a service without an image, and any way of being exposed', () => {
    const issues = checkDesired(kit.desired({ services: [{ name: 'web', command: ['x'] }], expose: 'node' }), able)
    expect(issues.map(({ path }) => path)).toEqual(['spec.expose', at('image')])
  })

  it('is taken with bestEffort, and shown as not enforced', () => {
    const resources = { cpu: '1', disk: '1Gi', bestEffort: true }
    const volumes = [{ name: 'v', path: '/v', size: '1Gi' }]
    const desired = kit.desired({ services: [{ ...web, resources, volumes }] })
    expect(checkDesired(desired, bare)).toEqual([])
    expect(unenforced(desired, bare)).toEqual([at('resources.cpu'), at('resources.disk'), at('volumes[0].size')])
    expect(unenforced(desired, able)).toEqual([at('volumes[0].size')])
  })
})
