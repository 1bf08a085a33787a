import { isFault, type ServiceSpec, workloadKind } from '@gantry/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deployServices, mainOf, mergeEnvironment, scaleServices, stampedHash } from './draft-release.ts'

const services: ServiceSpec[] = workloadKind.parse({
  apiVersion: 'gantry/v1',
  kind: 'Workload',
  metadata: { name: 'web' },
  spec: {
    services: [
      { name: 'web', image: 'app:1', env: { A: '1' }, resources: { cpu: '250m', memory: '64Mi' } },
      { name: 'helper', role: 'sidecar', image: 'helper:1' },
    ],
  },
}).spec.services

const [web, helper] = services

const reasonOf = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    return isFault(error) ? error.reason : String(error)
  }
}

describe('a deploy', () => {
  it('changes what it lists and leaves the others the very same', () => {
    const [changed, other] = deployServices(services, [{ name: 'web', image: 'app:2' }])
    expect(changed).toEqual({ ...web, image: 'app:2' })
    expect(other).toBe(helper)
  })

  it('knows no service that is not there', () => {
    expect(reasonOf(() => deployServices(services, [{ name: 'nope' }]))).toBe('service_not_found')
  })

  it('merges any environment so that each key ends as the last word on it', () => {
    const name = fc.stringMatching(/^[A-Z]{1,2}$/)
    const values = fc.dictionary(name, fc.string())
    fc.assert(
      fc.property(values, values, fc.array(name), (before, changes, removed) => {
        const gone = removed.filter((key) => !(key in changes))
        const merged = mergeEnvironment(before, {
          ...changes,
          ...Object.fromEntries(gone.map((key) => [`${key}-`, ''])),
        })
        for (const key of Object.keys(changes)) expect(merged[key]).toBe(changes[key])
        for (const key of gone) expect(merged[key]).toBeUndefined()
        for (const key of Object.keys(before)) {
          if (!(key in changes) && !gone.includes(key)) expect(merged[key]).toBe(before[key])
        }
      }),
    )
  })
})

describe('a scale', () => {
  it('is the very same services when nothing but replicas is asked for', () => {
    expect(scaleServices(services, { replicas: 3 })).toBe(services)
  })

  it.each([
    [{ cpu: '0.5' }, { cpu: '500m' }],
    [{ memory: '128Mi' }, { memory: '128Mi' }],
    [{ disk: '1Gi' }, { disk: '1Gi' }],
    [{ gpu: 2 }, { gpu: { count: 2, type: '' } }],
  ])('of %j changes main’s %j and nothing else', (request, changed) => {
    const [scaled, other] = scaleServices(services, request)
    expect(scaled).toEqual({ ...web, resources: { ...web?.resources, ...changed } })
    expect(other).toBe(helper)
  })

  it('is of the service that is named', () => {
    expect(scaleServices(services, { service: 'helper', cpu: '1' })[1]?.resources.cpu).toBe('1')
    expect(reasonOf(() => scaleServices(services, { service: 'nope', cpu: '1' }))).toBe('service_not_found')
    expect(reasonOf(() => scaleServices(services, { cpu: 'much' }))).toBe('bad_quantity')
  })

  it('says where nothing can be changed, because others wrote what there is', () => {
    expect(() => scaleServices([], { cpu: '1' })).toThrow(/no services: this is made of manifests or of a chart/)
    expect(() => deployServices([], [{ name: 'web', image: 'app:2' }])).toThrow(/no service web: this is made of/)
    expect(deployServices([], [])).toEqual([])
  })

  it('is of main when none is named', () => {
    expect(mainOf(services)).toBe('web')
    expect(reasonOf(() => mainOf([]))).toBe('schema')
  })
})

describe('the hash of a release', () => {
  it('changes with the content and with the stamp, and with nothing else', () => {
    const content = { services, secretVersions: {} }
    expect(stampedHash(content, undefined)).toBe(stampedHash({ ...content }, undefined))
    expect(stampedHash(content, 'a')).not.toBe(stampedHash(content, undefined))
    expect(stampedHash(content, 'a')).not.toBe(stampedHash(content, 'b'))
    expect(stampedHash({ services: services.slice(0, 1), secretVersions: {} }, undefined)).not.toBe(
      stampedHash(content, undefined),
    )
  })
})
