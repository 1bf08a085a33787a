import { describe, expect, it } from 'vitest'
import type { ServiceSpec } from '../workload/service.ts'
import { workloadKind } from '../workload/workload.ts'
import { describeReleaseChanges, releaseChanges } from './changes.ts'
import { releaseFields } from './release.ts'

function servicesOf(...services: object[]): ServiceSpec[] {
  if (services.length === 0) return []
  const document = { apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'shop' }, spec: { services } }
  return workloadKind.parse(document).spec.services
}

const web = { name: 'web', image: 'app:1', env: { PASSWORD: 'old-hunter2' } }
const log = { name: 'log', role: 'sidecar', image: 'log:1' }
const release = (services: object[], secretVersions: Record<string, number> = {}) => ({
  services: servicesOf(...services),
  secretVersions,
})

describe('what a release changes', () => {
  const changed = { ...web, image: 'app:2', env: { PASSWORD: 'new-hunter2', MORE: '1' } }

  it.each<[string, ReturnType<typeof release>, string[], string]>([
    ['nothing', release([web]), [], 'the same again'],
    [
      'fields of a service',
      release([changed]),
      ['services[web].image', 'services[web].env.PASSWORD', 'services[web].env.MORE'],
      'image of web, env of web',
    ],
    ['a service more', release([web, log]), ['services[log]'], 'new service log'],
    ['a secret', release([web], { db: 2 }), ['secretVersions.db'], 'new secret db'],
  ])('by path and in words: %s', (_, after, paths, words) => {
    expect(releaseChanges(release([web]), after).toSorted()).toEqual(paths.toSorted())
    expect(describeReleaseChanges(release([web]), after)).toBe(words)
  })

  const manifests = (text: string) => ({ source: { manifests: { text } } })
  const chart = (more: object) => {
    const helm = { chart: { repository: { url: 'https://charts.example', name: 'web' } }, ...more }
    const spec = { source: { helm } }
    const document = { apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'shop' }, spec }
    const { source } = workloadKind.parse(document).spec
    return { ...(source && { source }) }
  }
  const one = 'vault:00000000000000000000000000000001'
  const two = 'vault:00000000000000000000000000000002'

  it.each<[string, object, object, string]>([
    ['the same', manifests(one), manifests(one), 'the same again'],
    ['another text', manifests(one), manifests(two), 'manifests'],
    ['values', chart({ values: one, set: { a: one } }), chart({ values: two, set: { a: two } }), 'values of the chart'],
    ['files of values', chart({}), chart({ valuesFiles: [one] }), 'values of the chart'],
    ['the chart', chart({}), chart({ chart: { archive: one }, wait: false }), 'the chart, options of the chart'],
    ['another sort', manifests(one), chart({}), 'new chart, without manifests'],
  ])('of a source in words: %s', (_, was, is, words) => {
    expect(describeReleaseChanges({ ...release([]), ...was }, { ...release([]), ...is })).toBe(words)
  })

  it('of a source by path', () => {
    const both = [chart({ set: { 'image.tag': one } }), chart({ set: { 'image.tag': two } })] as const
    expect(releaseChanges({ ...release([]), ...both[0] }, { ...release([]), ...both[1] })).toEqual([
      'source.helm.set["image.tag"]',
    ])
  })

  it('names what is gone, and the versions of a secret', () => {
    const words = describeReleaseChanges(release([web, log], { db: 1, key: 1 }), release([web], { db: 2 }))
    expect(words).toBe('without service log, secret db v1 to v2, without secret key')
  })

  it('is nothing for the first', () => {
    expect(releaseChanges(undefined, release([web]))).toEqual([])
    expect(describeReleaseChanges(undefined, release([web]))).toBe('first release')
  })

  it('never holds a value', () => {
    const both = [release([web]), release([changed])] as const
    expect(JSON.stringify([releaseChanges(...both), describeReleaseChanges(...both)])).not.toContain('hunter2')
  })

  it('fits into a release, however much there is', () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ ...log, name: `s${at}` }))
    const both = [release([web]), release([web, ...many.slice(1)])] as const
    const { changes, message } = releaseFields.shape
    expect(message.safeParse(describeReleaseChanges(...both)).success).toBe(true)
    expect(changes.safeParse(releaseChanges(...both)).success).toBe(true)
  })
})
