import { describe, expect, it } from 'vitest'
import { newPass } from '../provisioner.ts'
import { applicationSpec } from './application-spec.ts'
import { type ApplicationVersion, findVersion } from './catalogue.ts'

const pass = newPass({ signal: new AbortController().signal })
const minimal: ApplicationVersion = { version: '1.2.3', repo: 'oci://charts', source: { chart: 'cilium' } }

describe('the version of an application', () => {
  const versions = ['v1.0.0', '1.2.3', '1.3.0-rc.1', '2.0.0+build.7', 'main'].map((version) => ({
    ...minimal,
    version,
  }))
  const entry = { name: 'cilium', versions }

  it.each([
    ['1.0.0', 'v1.0.0'],
    ['v1.2.3', '1.2.3'],
    ['1.2.3+anything', '1.2.3'],
    ['v2.0.0', '2.0.0+build.7'],
    ['1.3.0-rc.1', '1.3.0-rc.1'],
    ['main', 'main'],
  ])('%s is found as %s, which is what is passed on', (wanted, found) => {
    expect(findVersion(entry, wanted).version).toBe(found)
  })

  it.each(['1.3.0', '1.2', '3.0.0', 'dev'])('%s is not there, and the message says what is', (wanted) => {
    expect(() => findVersion(entry, wanted)).toThrow(/has no version .*; there is v1.0.0, 1.2.3/)
  })

  it('that is not there is a permanent fault of its own reason', () => {
    expect(() => findVersion(entry, '9.9.9')).toThrow(
      expect.objectContaining({ kind: 'not_found', reason: 'version_not_found' }),
    )
  })
})

describe('what is asked for', () => {
  it('has defaults for everything the catalogue leaves out', async () => {
    expect(await applicationSpec(minimal, {}, pass)).toEqual({
      repo: 'oci://charts',
      source: { chart: 'cilium' },
      version: '1.2.3',
      parameters: [],
      values: {},
      namespace: 'default',
      createNamespace: false,
      serverSideApply: false,
      ignoredDifferences: [],
    })
  })

  it.each([
    ['the owner', 'mine', 'theirs', 'mine'],
    ['the catalogue', undefined, 'theirs', 'theirs'],
    ['nobody', undefined, undefined, 'default'],
  ])('goes into the namespace that %s names', async (_, namespace, catalogue, expected) => {
    const version = catalogue ? { ...minimal, namespace: catalogue } : minimal
    expect((await applicationSpec(version, namespace ? { namespace } : {}, pass)).namespace).toBe(expected)
  })

  it.each([
    ['web', 'catalogue', 'web'],
    ['', 'catalogue', 'catalogue'],
    [undefined, 'catalogue', 'catalogue'],
    [undefined, undefined, undefined],
  ])('with the generated release %j and the fixed %j is called %j', async (generated, fixed, expected) => {
    const version = fixed ? { ...minimal, release: fixed } : minimal
    const generators = generated === undefined ? {} : { releaseName: () => generated }
    expect((await applicationSpec(version, { generators }, pass)).release).toBe(expected)
  })

  it('has each parameter once, by name, however they were generated', async () => {
    const version = {
      ...minimal,
      parameters: [
        { name: 'z', value: '1' },
        { name: 'a', value: '1' },
      ],
    }
    const specs = [
      { z: '2', m: '3' },
      { m: '3', z: '2' },
    ].map((generated) => applicationSpec(version, { generators: { parameters: () => generated } }, pass))
    const [one, other] = await Promise.all(specs)
    expect(one?.parameters).toEqual([
      { name: 'a', value: '1' },
      { name: 'm', value: '3' },
      { name: 'z', value: '2' },
    ])
    expect(JSON.stringify(one)).toBe(JSON.stringify(other))
  })

  it('merges generated values over those of the catalogue, and null takes one away', async () => {
    const version = { ...minimal, values: { image: { tag: '1', pull: 'always' }, debug: true } }
    const values = () => ({ image: { tag: '2' }, debug: null })
    expect((await applicationSpec(version, { generators: { values } }, pass)).values).toEqual({
      image: { tag: '2', pull: 'always' },
    })
  })

  it('carries namespace metadata, ignored differences and the cluster it runs on', async () => {
    const generators = {
      namespaceMetadata: () => ({ labels: { team: 'net' } }),
      ignoredDifferences: async () => [{ kind: 'Secret', pointers: ['/data'] }],
    }
    const cluster = { id: 'blue', config: { server: 's', kubeconfig: 'k' }, background: false }
    expect(await applicationSpec(minimal, { generators }, { ...pass, cluster })).toMatchObject({
      namespaceMetadata: { labels: { team: 'net' } },
      ignoredDifferences: [{ kind: 'Secret', pointers: ['/data'] }],
      cluster: 'blue',
    })
  })
})
