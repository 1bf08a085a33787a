import { describe, expect, it } from 'vitest'
import { checkSpec } from '../../../testing/check-workload.ts'
import { workloadKind } from '../workload.ts'

const manifests = { source: { manifests: { text: 'kind: ConfigMap' } } }
const repository = { url: 'https://charts.example/stable', name: 'web' }
const helm = (more: object = {}, chart: object = { repository }) => ({ source: { helm: { chart, ...more } } })
const packed = 'H4sIAAAAAAAAA+3O'

const parsed = (spec: object) =>
  workloadKind.parse({ apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: 'hello' }, spec }).spec

describe('the source of a workload', () => {
  it.each<[string, object]>([
    ['manifests', manifests],
    ['manifests by reference', { source: { manifests: { text: `vault:${'0'.repeat(32)}` } } }],
    ['manifests that wait for a workload', { ...manifests, dependsOn: [{ workload: 'db' }] }],
    ['manifests that are replaced', { ...manifests, strategy: { type: 'recreate' } }],
    ['everything at its default', { ...manifests, replicas: 1, run: 'running', expose: 'none', stopGraceSeconds: 10 }],
    ['a chart of a repository', helm()],
    ['a chart of a registry', helm({}, { repository: { ...repository, url: 'oci://registry.example/charts' } })],
    ['a range of versions', helm({}, { repository: { ...repository, version: '>=1.2, <2' } })],
    ['a packed chart', helm({}, { archive: packed })],
    ['a chart by reference', helm({ values: `vault:${'1'.repeat(32)}` }, { archive: `vault:${'0'.repeat(32)}` })],
    ['a chart of the server', helm({}, { path: '/srv/charts/web' })],
    ['values of every sort', helm({ values: { a: [1, { b: null }] }, valuesFiles: ['a: 1'], set: { 'a.b[0]': 1 } })],
    ['credentials on the way through TLS', helm({}, { repository: { ...repository, credentials: 'charts' } })],
    [
      'credentials on this machine',
      helm({}, { repository: { ...repository, url: 'http://127.0.0.1:80', credentials: 'c' } }),
    ],
  ])('may be %s', (_, spec) => {
    expect(checkSpec(spec)).toEqual([])
  })

  it.each<[string, object, string, RegExp]>([
    ['neither services nor a source', {}, 'services', /at least 1 entry, where there is no source/],
    ['services beside it', { ...manifests, services: [{ name: 'web' }] }, 'services', /beside source/],
    ['none of them', { source: {} }, 'source', /one of manifests and helm, and has neither/],
    ['both of them', { source: { ...manifests.source, ...helm().source } }, 'source', /has both/],
    ['an empty text', { source: { manifests: { text: '' } } }, 'source.manifests.text', /not be empty/],
    ['no chart', helm({}, {}), 'source.helm.chart', /and has none/],
    ['two charts', helm({}, { archive: packed, path: '/a' }), 'source.helm.chart', /has archive and path/],
    ['a chart in other letters', helm({}, { archive: 'ä' }), 'source.helm.chart.archive', /base64/],
    [
      'a chart that is too large',
      helm({}, { archive: 'A'.repeat(4_194_308) }),
      'source.helm.chart.archive',
      /at most 4194304 characters/,
    ],
    [
      'a password in an address',
      helm({}, { repository: { ...repository, url: 'https://me:pw@charts.example' } }),
      'source.helm.chart.repository.url',
      /without a user/,
    ],
    [
      'a file by address',
      helm({}, { repository: { ...repository, url: 'file:///etc' } }),
      'source.helm.chart.repository.url',
      /https:/,
    ],
    [
      'a chart that is an option',
      helm({}, { repository: { ...repository, name: '--debug' } }),
      'source.helm.chart.repository.name',
      /name of a chart/,
    ],
    [
      'a version that is an option',
      helm({}, { repository: { ...repository, version: '--debug' } }),
      'source.helm.chart.repository.version',
      /a version/,
    ],
    [
      'credentials that anybody can read',
      helm({}, { repository: { ...repository, url: 'http://charts.example', credentials: 'c' } }),
      'source.helm.chart.repository.credentials',
      /anybody on the way/,
    ],
    ['a long name', helm({ releaseName: 'x'.repeat(54) }), 'source.helm.releaseName', /53 at most/],
    ['values as text', helm({ values: 'a: 1' }), 'source.helm.values', /must be an object/],
    ['two values in one', helm({ set: { 'a=1,b': 2 } }), 'source.helm.set["a=1,b"]', /path of a value/],
    ['taken back without waiting', helm({ wait: false, atomic: true }), 'source.helm.atomic', /needs wait/],
    ['another type', { ...manifests, type: 'stateful_set' }, 'type', /what the manifests or the chart say/],
    ['several', { ...manifests, replicas: 2 }, 'replicas', /must be 1/],
    ['none', { ...manifests, replicas: 0 }, 'replicas', /must be 1/],
    ['stopped', { ...manifests, run: 'stopped' }, 'run', /delete the workload/],
    ['restarted', { ...manifests, restartStamp: '2026-01-01T00:00:00Z' }, 'restartStamp', /not restarted/],
    ['restarts', { ...manifests, restart: { maxPerHour: 3 } }, 'restart', /leave it out/],
    ['a grace', { ...manifests, stopGraceSeconds: 3 }, 'stopGraceSeconds', /leave it out/],
    ['exposed', { ...manifests, expose: 'node' }, 'expose', /a Service or an Ingress/],
    ['blue and green', { ...manifests, strategy: { type: 'blue_green' } }, 'strategy.type', /two beside each other/],
    ['a canary', { ...manifests, strategy: { type: 'canary' } }, 'strategy.type', /rolling or recreate/],
    ['a surge', { ...manifests, strategy: { maxSurge: 2 } }, 'strategy.maxSurge', /leave it out/],
  ])('is refused with the path: %s', (_, spec, path, message) => {
    expect(checkSpec(spec)).toEqual([[path, expect.stringMatching(message)]])
  })

  it('takes back what failed where it waits, unless it says otherwise', () => {
    expect(parsed(helm()).source?.helm?.atomic).toBe(true)
    expect(parsed(helm({ wait: false })).source?.helm?.atomic).toBe(false)
    expect(parsed(helm({ atomic: false })).source?.helm?.atomic).toBe(false)
  })

  it('gives a rollout as long as Helm may take', () => {
    expect(parsed(helm()).strategy.progressDeadlineSeconds).toBe(300)
    expect(parsed(helm({ timeoutSeconds: 30 })).strategy.progressDeadlineSeconds).toBe(120)
    expect(parsed(manifests).strategy.progressDeadlineSeconds).toBe(120)
  })

  it('can be read again as it was completed', () => {
    for (const spec of [parsed(helm()), parsed(manifests)]) expect(parsed(spec)).toEqual(spec)
  })

  it('writes single values as text', () => {
    expect(parsed(helm({ set: { a: 1, b: true, c: 'x' } })).source?.helm?.set).toEqual({ a: '1', b: 'true', c: 'x' })
  })
})
