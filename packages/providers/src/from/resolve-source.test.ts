import { type HelmSpec, Secret } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import type { SecretSource } from '../secret-source.ts'
import { resolveSource } from './resolve-source.ts'

const call = { signal: new AbortController().signal }

const secrets: SecretSource = {
  resolve: async ({ name, key, version = 4 }) => ({ version, value: new Secret(`${name} ${key} v${version}`) }),
}

const helm = (chart: HelmSpec['chart'], more: Partial<HelmSpec> = {}) => ({
  helm: {
    chart,
    valuesFiles: [],
    values: {},
    set: {},
    wait: true,
    atomic: true,
    timeoutSeconds: 300,
    hooks: true,
    crds: true,
    ...more,
  },
})

const repository = { url: 'https://charts.example', name: 'web', credentials: 'charts' }

describe('a source on its way to an engine', () => {
  it('is nothing where there is none', async () => {
    expect(await resolveSource(secrets, 'shop', undefined, {}, call)).toEqual({ versions: {} })
  })

  it('is the text of manifests', async () => {
    const { source } = await resolveSource(secrets, 'shop', { manifests: { text: 'kind: List' } }, {}, call)
    expect(source).toEqual({ type: 'manifests', text: 'kind: List' })
  })

  it('is a chart as bytes', async () => {
    const archive = Buffer.from('packed').toString('base64')
    const { source } = await resolveSource(secrets, 'shop', helm({ archive }), {}, call)
    expect(source).toMatchObject({ type: 'helm', chart: { from: 'archive', content: Buffer.from('packed') } })
  })

  it('has the credentials of a repository, of the newest version unless one is named', async () => {
    const newest = await resolveSource(secrets, 'shop', helm({ repository }), {}, call)
    expect(newest.versions).toEqual({ charts: 4 })
    const kept = await resolveSource(secrets, 'shop', helm({ repository }), { charts: 2 }, call)
    expect(kept.versions).toEqual({ charts: 2 })
    if (kept.source?.type !== 'helm' || kept.source.chart.from !== 'repository') throw new Error('is a repository')
    expect(kept.source.chart.username?.reveal()).toBe('charts username v2')
    expect(kept.source.chart.password?.reveal()).toBe('charts password v2')
  })

  it('never has a reference in place of its values', async () => {
    const closed = helm({ path: '/charts/web' }, { values: `vault:${'0'.repeat(32)}` })
    await expect(resolveSource(secrets, 'shop', closed, {}, call)).rejects.toThrow(/nobody has opened/)
  })
})
