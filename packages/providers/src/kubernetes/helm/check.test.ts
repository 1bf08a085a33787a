import { describe, expect, it } from 'vitest'
import type { Observed } from '../../observed.ts'
import type { Ref } from '../../ref.ts'
import type { HelmChart, HelmSource } from '../../source.ts'
import { checkChart } from './check.ts'
import type { DesiredChart } from './helm.ts'
import { planChart } from './plan.ts'

const ref: Ref = { tenant: 'acme', workload: 'web', uid: 'u1', slot: 'a' }
const packed: HelmChart = { from: 'archive', content: Uint8Array.of(0x1f, 0x8b, 8) }

const desired = (source: Partial<HelmSource>, more: Partial<DesiredChart> = {}): DesiredChart =>
  ({
    ref,
    run: 'running',
    specHash: 'h1',
    release: 'r1',
    source: { type: 'helm', chart: packed, valuesFiles: [], values: {}, set: {}, ...source },
    ...more,
  }) as DesiredChart

const at = (path: string): HelmChart => ({ from: 'path', path })
const from = (url: string, more: Partial<Extract<HelmChart, { from: 'repository' }>> = {}): HelmChart => ({
  from: 'repository',
  url,
  name: 'web',
  ...more,
})

describe('a source of a chart', () => {
  const chartFolders = ['/srv/charts']
  it.each<[string, DesiredChart]>([
    ['packed', desired({})],
    ['of a repository', desired({ chart: from('https://charts.example/stable', { version: '^1.2' }) })],
    ['of a registry', desired({ chart: from('oci://registry.example/charts') })],
    ['in a folder that is allowed', desired({ chart: at('/srv/charts/web') })],
    ['with values of every sort', desired({ valuesFiles: ['', 'a: on\n'], set: { 'a.b[0]': 'x', 'c\\.d': '1' } })],
  ])('%s is taken', (_title, wanted) => {
    expect(checkChart(wanted, { chartFolders })).toEqual([])
  })

  it.each<[string, DesiredChart, string]>([
    ['that is stopped', desired({}, { run: 'stopped' }), 'spec.run'],
    ['with a name that Helm does not take', desired({ releaseName: 'Web_1' }), 'spec.source.helm.releaseName'],
    [
      'that is not packed',
      desired({ chart: { from: 'archive', content: Buffer.from('PK') } }),
      'spec.source.helm.chart.archive',
    ],
    ['elsewhere on the machine', desired({ chart: at('/srv/other/web') }), 'spec.source.helm.chart.path'],
    ['that goes up again', desired({ chart: at('/srv/charts/../other') }), 'spec.source.helm.chart.path'],
    [
      'with a user in its address',
      desired({ chart: from('https://me:pw@charts.example') }),
      'spec.source.helm.chart.repository.url',
    ],
    [
      'of a repository of no known kind',
      desired({ chart: from('file:///srv') }),
      'spec.source.helm.chart.repository.url',
    ],
    [
      'whose name helm would take for a flag',
      desired({ chart: from('https://c.example', { name: '--debug' }) }),
      'spec.source.helm.chart.repository',
    ],
    ['with values that are no YAML', desired({ valuesFiles: ['a: 1', '{'] }), 'spec.source.helm.valuesFiles[1]'],
    ['with values that are no map', desired({ valuesFiles: ['- 1'] }), 'spec.source.helm.valuesFiles[0]'],
    ['with a path that is none', desired({ set: { 'a..b': '1' } }), 'spec.source.helm.set[a..b]'],
  ])('%s is refused by its path', (_title, wanted, path) => {
    expect(checkChart(wanted, { chartFolders }).map((issue) => issue.path)).toEqual([path])
  })

  it('at a path is refused where no folder is allowed', () => {
    const [issue] = checkChart(desired({ chart: at('/srv/charts/web') }), {})
    expect(issue?.message).toMatch(/lets charts be in no folder/)
  })
})

describe('what would be done', () => {
  const seen = (specHash: string, name = 'web', drift: string[] = []): Observed => ({
    ref,
    replicas: [
      {
        engineId: 'helm:n/x/1',
        index: 0,
        release: 'r1',
        specHash,
        ready: true,
        terminating: false,
        services: { [`helm/${name}`]: { role: 'sidecar', phase: 'running', ready: true, restarts: 0 } },
        endpoints: [],
      },
    ],
    endpoints: [],
    drift,
    notEnforced: [],
    at: new Date(0),
  })
  it.each<[string, DesiredChart | undefined, Observed | undefined, object[]]>([
    ['to nothing for nothing is nothing', undefined, undefined, []],
    ['to what is as it shall be is nothing', desired({}), seen('h1'), []],
    ['to what is not there is an install', desired({}), undefined, [{ verb: 'create', object: 'helm release web' }]],
    ['to another one is a change', desired({}), seen('h0'), [{ verb: 'change', engineId: 'helm:n/x/1' }]],
    ['to one that is to go is its removal', undefined, seen('h1'), [{ verb: 'remove', object: 'helm release web' }]],
    [
      'to one with another name is both',
      desired({ releaseName: 'new' }),
      seen('h1'),
      [
        { verb: 'remove', object: 'helm release web' },
        { verb: 'create', object: 'helm release new' },
      ],
    ],
  ])('%s', (_title, wanted, observed, steps) => {
    expect(planChart(wanted, observed)).toMatchObject(steps)
    expect(planChart(wanted, observed)).toHaveLength(steps.length)
  })
})
