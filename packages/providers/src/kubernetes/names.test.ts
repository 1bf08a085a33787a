import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ref } from '../ref.ts'
import {
  claimName,
  contentName,
  contentVolume,
  governingName,
  instanceName,
  namespaceName,
  portNames,
  pullSecretName,
  workloadServiceName,
} from './names.ts'

const ref: Ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' }
const longest = 'x'.repeat(40)
const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/

describe('the name of an instance', () => {
  it('begins with what people call it, and has nothing of the uid', () => {
    expect(instanceName('inst', ref)).toMatch(/^web-a-[0-9a-f]{8}$/)
    expect(instanceName('inst', { ...ref, uid: 'u2' } as Ref)).toBe(instanceName('inst', ref))
  })

  it('is another one for another installation, tenant, workload or slot', () => {
    const names = [
      instanceName('inst', ref),
      instanceName('other', ref),
      instanceName('inst', { ...ref, tenant: 'b' }),
      instanceName('inst', { ...ref, workload: 'api' }),
      instanceName('inst', { ...ref, slot: 'b' }),
    ]
    expect(new Set(names).size).toBe(names.length)
  })

  it('leaves a StatefulSet and its governing Service room, however long the names are', () => {
    const name = instanceName('inst', { ...ref, tenant: longest, workload: longest })
    expect(name.length).toBeLessThanOrEqual(52)
    expect(governingName(name)).toMatch(label)
  })

  it('gives no claim of one workload to another, whatever volumes are called', () => {
    const one = claimName('data', instanceName('inst', { ...ref, workload: 'x-web' }), 0)
    const other = claimName('data-x', instanceName('inst', ref), 0)
    expect([one.startsWith('data-x-web-a-'), other.startsWith('data-x-web-a-')]).toEqual([true, true])
    expect(one).not.toBe(other)
  })
})

describe('other names', () => {
  it.each([
    [{ prefix: 'gantry' }, 'acme', 'gantry-acme'],
    [{ shared: 'apps' }, 'acme', 'apps'],
    [{ prefix: 'x'.repeat(22) }, longest, `${'x'.repeat(22)}-${longest}`],
  ])('of a namespace: %j of %s is %s', (namespaces, tenant, name) => {
    expect(namespaceName(namespaces, tenant)).toBe(name)
  })

  it('of a namespace fit a label, whatever the prefix', () => {
    expect(namespaceName({ prefix: 'p'.repeat(40) }, longest)).toMatch(label)
  })

  it('of a workload’s Service are plain, but not where tenants share a namespace', () => {
    expect(workloadServiceName({ prefix: 'gantry' }, ref)).toBe('web')
    const shared = ['acme', 'b'].map((tenant) => workloadServiceName({ shared: 'apps' }, { ...ref, tenant }))
    expect(new Set([...shared, 'web']).size).toBe(3)
  })

  it('of contents are others for another spec, and show nothing of it', () => {
    expect(contentName('web-a-1', 'config', 'hash', 0)).toMatch(/^web-a-1-config-[0-9a-f]{10}$/)
    expect(contentName('web-a-1', 'config', 'other', 0)).not.toBe(contentName('web-a-1', 'config', 'hash', 0))
    expect(contentName('web-a-1', 'secret', 'hash', 2)).toMatch(/^web-a-1-secret-[0-9a-f]{10}-2$/)
    expect(pullSecretName('web-a-1', 'web')).toBe('web-a-1-pull-web')
  })

  it('of our volumes are none that a user could have given', () => {
    expect(contentVolume('config', 0)).toMatch(/^\d/)
    expect(contentVolume('secret', 3)).toMatch(label)
  })
})

describe('names of ports in a Service', () => {
  const service = (name: string, role: string, ...ports: string[]) => ({
    name,
    role,
    ports: ports.map((port) => ({ name: port })),
  })

  it('are main’s own, and those of others with their service before them', () => {
    const nameOf = portNames([service('proxy', 'sidecar', 'http'), service('web', 'main', 'http')])
    expect([nameOf('web', 'http'), nameOf('proxy', 'http')]).toEqual(['http', 'proxy-http'])
  })

  it('are never the same twice', () => {
    const part = fc.stringMatching(/^[a-b](?:-?[a-b]){0,2}$/)
    const services = fc.uniqueArray(
      fc.record({ name: part, ports: fc.uniqueArray(part, { minLength: 1, maxLength: 3 }) }),
      { selector: ({ name }) => name, minLength: 1, maxLength: 5 },
    )
    fc.assert(
      fc.property(services, (some) => {
        const all = some.map(({ name, ports }, at) => service(name, at === 0 ? 'main' : 'sidecar', ...ports))
        const nameOf = portNames(all)
        const names = all.flatMap(({ name, ports }) => ports.map((port) => nameOf(name, port.name)))
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) expect(name).toMatch(label)
      }),
    )
  })
})
