import { completeWorkload, type WorkloadInput, workloadFields } from '@gantry/core'
import { inPlaceUpdate } from '@gantry/providers'
import { afterAll, describe, expect, it } from 'vitest'
import { secretSource } from '../vault/secret-source.ts'
import { call, put, vaultSubject } from '../vault/testing/subject.ts'
import { sealWorkload } from '../vault/workload-contents.ts'
import { desiredFor, specHashOf, type WantedInstance, type WantedRelease } from './desired-for.ts'
import { contentReferences, openServices } from './sealed-services.ts'

const subject = await vaultSubject()
afterAll(() => subject.dispose())
const { store, vault } = subject
const owner = { tenant: 'shop', owner: 'u1' }
const sources = { installation: 'ours', secrets: secretSource(vault), contents: vault }

const file = (name: string, content: string) => ({ name, path: `/etc/${name}`, content })
const servicesOf = (services: WorkloadInput['services']) =>
  completeWorkload(workloadFields.parse({ services })).services

async function sealed(services: WorkloadInput['services']) {
  const owned = { tenant: 'shop', name: 'web', uid: 'u1' }
  const made = await sealWorkload(vault, owned, { services: servicesOf(services) }, { live: undefined }, call)
  const ownerless = made.commands.map((command) =>
    command.op === 'replace' ? { ...command, draft: { key: command.draft.key, spec: command.draft.spec } } : command,
  )
  await store.write({ tenant: 'shop' }, ownerless, {}, call)
  return made.spec.services
}

function instance(more: Partial<WantedInstance> = {}): WantedInstance {
  const spec = completeWorkload(workloadFields.parse({ services: [{ name: 'web' }] }))
  const { replicas, run, type, restart, stopGraceSeconds, expose, engine } = spec
  const update = inPlaceUpdate(spec.strategy, type)
  const slot = { workload: 'web', uid: 'u1', slot: 'a' as const, labels: { team: 'web' } }
  return { ...slot, replicas, run, type, restart, stopGraceSeconds, expose, engine, update, ...more }
}

const release = (more: Partial<WantedRelease> = {}): WantedRelease => ({
  number: 3,
  hash: 'h',
  services: servicesOf([{ name: 'web', image: 'app:1' }]),
  secretVersions: {},
  images: {},
  ...more,
})

describe('the contents of config files', () => {
  it('are references in a release, and come back as they were', async () => {
    const services = await sealed([{ name: 'web', configFiles: [file('app', 'password: hunter2')] }])
    expect(JSON.stringify(services)).not.toContain('hunter2')
    const [opened] = await openServices(vault, owner, services, call)
    expect(opened?.configFiles[0]?.content).toBe('password: hunter2')
  })

  it('have the same reference when they are the same, so that hashes can be compared', async () => {
    const first = await sealed([{ name: 'web', configFiles: [file('app', 'one')] }])
    const again = await sealed([{ name: 'web', configFiles: [file('app', 'one')] }])
    const other = await sealed([{ name: 'web', configFiles: [file('app', 'two')] }])
    expect(again).toEqual(first)
    expect(contentReferences(other)).not.toEqual(contentReferences(first))
  })

  it('that the vault has lost are a fault, not an empty file', async () => {
    const services = servicesOf([{ name: 'web', configFiles: [file('app', `vault:${'0'.repeat(32)}`)] }])
    await expect(openServices(vault, owner, services, call)).rejects.toMatchObject({ reason: 'secret_not_found' })
  })

  it('cost nothing where there are none', async () => {
    const services = servicesOf([{ name: 'web' }])
    expect(await openServices(vault, owner, services, call)).toBe(services)
  })
})

describe('what an engine is asked for', () => {
  it('has the values of the versions that the release was made with', async () => {
    const version = await put(subject, 'shop', 'database', { url: 'first' })
    await put(subject, 'shop', 'database', { url: 'second' })
    const services = servicesOf([{ name: 'web', secrets: [{ name: 'database', key: 'url', env: 'URL' }] }])
    const wanted = release({ services, secretVersions: { database: version } })
    const desired = await desiredFor('shop', instance(), wanted, sources, call)
    expect(desired.services[0]?.secrets[0]?.value.reveal()).toBe('first')
  })

  it('has the contents of its files and the images as they were pinned', async () => {
    const services = await sealed([{ name: 'web', image: 'app:1', configFiles: [file('app', 'text')] }])
    const wanted = release({ services, images: { web: 'app@sha256:1' } })
    const desired = await desiredFor('shop', instance(), wanted, sources, call)
    expect(desired.services[0]).toMatchObject({ pinnedImage: 'app@sha256:1', configFiles: [{ content: 'text' }] })
  })

  it('says whose it is, and of which release', async () => {
    const desired = await desiredFor('shop', instance(), release(), sources, call)
    const ref = { tenant: 'shop', workload: 'web', uid: 'u1', slot: 'a' }
    expect(desired).toMatchObject({ ref, installation: 'ours', release: 'v3', labels: { team: 'web' } })
  })

  it.each<[string, boolean, Partial<WantedInstance>, string]>([
    ['nothing', true, {}, 'h'],
    ['the number of replicas', true, { replicas: 7 }, 'h'],
    ['being stopped', true, { run: 'stopped' }, 'h'],
    ['the grace', true, { stopGraceSeconds: 99 }, 'h'],
    ['the slot', true, { slot: 'b' }, 'h'],
    ['a restart', false, { restartStamp: 'now' }, 'h'],
    ['a label', true, { labels: {} }, 'h'],
    ['the type', false, { type: 'stateful_set' }, 'h'],
    ['the content of the release', false, {}, 'other'],
  ])('has the same hash after a change of %s: %s', (_, same, more, hash) => {
    const before = specHashOf(instance(), { hash: 'h' })
    expect(specHashOf(instance(more), { hash }) === before).toBe(same)
  })
})

describe('a source', () => {
  const helm = {
    chart: { archive: Buffer.from('packed').toString('base64') },
    valuesFiles: ['a: 1'],
    values: { password: 'hunter2', list: [1, null] },
    set: { 'image.tag': '1.2' },
  }

  async function sealedSource(source: WorkloadInput['source']) {
    const owned = { tenant: 'shop', name: 'web', uid: 'u1' }
    const spec = completeWorkload(workloadFields.parse({ source }))
    const made = await sealWorkload(vault, owned, spec, { live: undefined }, call)
    const ownerless = made.commands.map((command) =>
      command.op === 'replace' ? { ...command, draft: { key: command.draft.key, spec: command.draft.spec } } : command,
    )
    await store.write({ tenant: 'shop' }, ownerless, {}, call)
    return made.spec.source
  }

  it('is references in a release, and reaches the engine as it was', async () => {
    const source = await sealedSource({ helm })
    expect(JSON.stringify(source)).not.toMatch(/hunter2|packed|1\.2|a: 1/)
    expect(contentReferences([], source)).toHaveLength(4)
    const desired = await desiredFor('shop', instance(), release({ services: [], source }), sources, call)
    expect(desired.services).toEqual([])
    expect(desired.source).toMatchObject({
      type: 'helm',
      chart: { from: 'archive', content: Buffer.from('packed') },
      valuesFiles: helm.valuesFiles,
      values: helm.values,
      set: helm.set,
      atomic: true,
    })
  })

  it('has the credentials of the version that the release was made with', async () => {
    await put(subject, 'shop', 'charts', { username: 'me', password: 'old' })
    await put(subject, 'shop', 'charts', { username: 'me', password: 'new' })
    const repository = { url: 'https://charts.example', name: 'web', credentials: 'charts' }
    const source = await sealedSource({ helm: { chart: { repository } } })
    const wanted = release({ services: [], source, secretVersions: { charts: 1 } })
    const desired = await desiredFor('shop', instance(), wanted, sources, call)
    if (desired.source?.type !== 'helm' || desired.source.chart.from !== 'repository') throw new Error('is of one')
    expect(desired.source.chart.password?.reveal()).toBe('old')
  })

  it('that the vault has lost is a fault, not an empty set', async () => {
    const source = { manifests: { text: `vault:${'0'.repeat(32)}` } }
    const asked = desiredFor('shop', instance(), release({ services: [], source }), sources, call)
    await expect(asked).rejects.toMatchObject({ reason: 'secret_not_found' })
  })
})
