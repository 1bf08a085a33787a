import { readFile } from 'node:fs/promises'
import { Fault, kinds, Secret, systemClock } from '@gantry/core'
import { leaveAtOnce, type SecretSource } from '@gantry/providers'
import { kubernetesRig } from '@gantry/providers/testing'
import { afterEach, describe, expect, it } from 'vitest'
import type { EngineWish, OpenedEngine } from './engine-factories.ts'
import { kubernetesFactory } from './kubernetes-factory.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const env = {}

function secretsOf(values: Readonly<Record<string, string>>): SecretSource {
  return {
    async resolve({ tenant, name, key }) {
      const value = values[`${tenant}/${name}/${key}`]
      if (value === undefined) throw new Fault('secret_not_found', `The secret "${name}" has no key "${key}"`)
      return { version: 1, value: new Secret(value) }
    },
  }
}

function wish(kubernetes: object, more: { name?: string; secrets?: SecretSource; location?: object } = {}): EngineWish {
  const { name = 'east', secrets = secretsOf({}), location = {} } = more
  const manifest = { apiVersion: 'gantry/v1', kind: 'Provider', metadata: { name } }
  const { spec } = kinds.Provider.parse({ ...manifest, spec: { type: 'kubernetes', location, kubernetes } })
  return { name, spec, installation: 'factory-test', clock: systemClock, leaving: leaveAtOnce, secrets }
}

/** Nobody listens there. */
const away = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'here',
})
const secret = { kubeconfig: { secret: { name: 'east', tenant: 'ops' } } }

describe('the factory of Kubernetes clusters', () => {
  it('says that a cluster cannot be reached, and that it may be later', async () => {
    const secrets = secretsOf({ 'ops/east/kubeconfig': away })
    const opening = kubernetesFactory({ env })(wish(secret, { secrets }), call)
    await expect(opening).rejects.toMatchObject({ kind: 'unavailable', reason: 'engine_unreachable' })
  })

  it('says what a secret needs that has no kubeconfig', async () => {
    await expect(kubernetesFactory({ env })(wish(secret), call)).rejects.toMatchObject({
      reason: 'secret_not_found',
      message: expect.stringContaining('It needs the value "kubeconfig" in tenant "ops"'),
      issues: [{ path: 'spec.kubernetes.kubeconfig.secret' }],
    })
  })

  it('lets a kubeconfig of a secret run no program and read no file of the server', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'id', interactiveMode: 'Never' }
    const text = away.replace('"token":"t"', `"exec":${JSON.stringify(exec)}`)
    const opening = kubernetesFactory({ env })(
      wish(secret, { secrets: secretsOf({ 'ops/east/kubeconfig': text }) }),
      call,
    )
    await expect(opening).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('tries nothing else where the cluster around the server is meant', async () => {
    const opening = kubernetesFactory({ env: { KUBECONFIG: '/etc/hosts' } })(wish({ inCluster: true }), call)
    await expect(opening).rejects.toThrow(/No cluster is configured/)
  })

  it('names what it tried where nothing says which cluster is meant', async () => {
    const opening = kubernetesFactory({ env: { GANTRY_K8S_KUBECONFIG: '/nowhere/kube' } })(wish({}), call)
    await expect(opening).rejects.toThrow(/There is no kubeconfig \/nowhere\/kube/)
  })

  it('rethrows the reason of a caller who leaves', async () => {
    const reason = new Error('left')
    const opening = kubernetesFactory({ env })(wish({}), { signal: AbortSignal.abort(reason) })
    await expect(opening).rejects.toBe(reason)
  })
})

describe('on a real cluster, the factory', () => {
  const opened: OpenedEngine[] = []
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close?.(call)
  })

  it('opens it by a path and by a secret, for one Provider at a time', async (context) => {
    const rig = await kubernetesRig()
    if ('missing' in rig) return context.skip(rig.missing)
    const path = rig.address.kubeconfig
    const factory = kubernetesFactory({ env: { GANTRY_K8S_REGION: 'north' } })
    const byPath = await factory(wish({ kubeconfig: { path }, namespacePrefix: 'factory' }), call)
    opened.push(byPath)
    const info = await byPath.engine.info(call)
    expect(info.version).toMatch(/^1\.\d+/)
    expect(info.facts).toMatchObject({ region: 'north', city: 'Localhost' })
    const secrets = secretsOf({ 'ops/east/kubeconfig': await readFile(path, 'utf8') })
    const other = { name: 'west', secrets, location: { region: 'south', city: 'Rom' } }
    const second = wish({ ...secret, namespacePrefix: 'factory' }, other)
    await expect(factory(second, call)).rejects.toMatchObject({
      reason: 'engine_taken',
      message: expect.stringContaining('the Provider "east"'),
    })
    for (const each of opened.splice(0)) await each.close?.(call)
    const bySecret = await factory(second, call)
    opened.push(bySecret)
    expect((await bySecret.engine.info(call)).facts).toMatchObject({ region: 'south', city: 'Rom', country: 'Local' })
  })
})
