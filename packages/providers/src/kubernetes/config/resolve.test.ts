import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveCluster } from './resolve.ts'

const call = { signal: AbortSignal.timeout(900_000) }

describe('which cluster is meant', () => {
  let folder: string
  let home: string
  let serviceAccount: string
  let named: string
  const nowhere = { env: {}, serviceAccount: '/nowhere' }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-k8s-'))
    home = join(folder, 'home')
    serviceAccount = join(folder, 'serviceaccount')
    named = join(folder, 'named')
    mkdirSync(join(home, '.kube'), { recursive: true })
    mkdirSync(serviceAccount)
    writeFileSync(named, configOf('named'))
    writeFileSync(join(home, '.kube', 'config'), configOf('home'))
    writeFileSync(join(folder, 'second'), configOf('second'))
    writeFileSync(join(serviceAccount, 'token'), 'sa-token')
    writeFileSync(join(serviceAccount, 'ca.crt'), 'CA')
    writeFileSync(join(serviceAccount, 'namespace'), 'own\n')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const inside = () => ({
    env: { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443', KUBECONFIG: join(folder, 'second') },
    home,
    serviceAccount,
  })

  it('is the one of the kubeconfig that was named, before anything else', async () => {
    expect(await resolveCluster({ kubeconfig: named }, inside(), call)).toMatchObject({ server: 'https://named' })
    expect(await resolveCluster({ kubeconfig: named, inCluster: true }, inside(), call)).toMatchObject({
      server: 'https://named',
    })
  })

  it('is then the one that we run in, whose token is a file', async () => {
    expect(await resolveCluster({}, inside(), call)).toEqual({
      server: 'https://10.96.0.1:443',
      ca: { file: join(serviceAccount, 'ca.crt') },
      namespace: 'own',
      user: { name: 'service account', token: { file: join(serviceAccount, 'token') } },
      origin: `the service account in ${serviceAccount}`,
    })
    const six = { ...inside(), env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' } }
    expect(await resolveCluster({ inCluster: true }, six, call)).toMatchObject({ server: 'https://[fd00::1]:443' })
  })

  it('is at last the one that kubectl would take', async () => {
    const two = { ...nowhere, env: { KUBECONFIG: `/none:${join(folder, 'second')}:${named}` }, home }
    expect(await resolveCluster({}, two, call)).toMatchObject({ server: 'https://second' })
    expect(await resolveCluster({ context: 'named' }, two, call)).toMatchObject({ server: 'https://named' })
    expect(await resolveCluster({}, { ...nowhere, home }, call)).toMatchObject({ server: 'https://home' })
    expect(await resolveCluster({ inCluster: false }, inside(), call)).toMatchObject({ server: 'https://second' })
  })

  it('is nothing else where being inside was asked for', async () => {
    await expect(resolveCluster({ inCluster: true }, { ...nowhere, home }, call)).rejects.toThrowError(
      /Tried: no kubeconfig was named .*; not inside a cluster: KUBERNETES_SERVICE_HOST is not set$/,
    )
    const noAccount = { ...inside(), serviceAccount: '/nowhere' }
    await expect(resolveCluster({ inCluster: true }, noAccount, call)).rejects.toThrowError(
      /\/nowhere\/token is not there$/,
    )
  })

  it('names everything that was tried where there is none', async () => {
    const none = { ...nowhere, env: { KUBECONFIG: '/none:/neither' } }
    await expect(resolveCluster({}, none, call)).rejects.toThrowError(
      /GANTRY_K8S_KUBECONFIG.*KUBERNETES_SERVICE_HOST.*\/none is not there; \/neither is not there/,
    )
    await expect(resolveCluster({ kubeconfig: '/none' }, inside(), call)).rejects.toThrowError(/no kubeconfig \/none/)
  })

  it('is not guessed past a file that cannot be read', async () => {
    const unreadable = { ...nowhere, env: { KUBECONFIG: home } }
    await expect(resolveCluster({}, unreadable, call)).rejects.toMatchObject({ reason: 'bad_document' })
  })
})

function configOf(name: string): string {
  return JSON.stringify({
    'current-context': name,
    clusters: [{ name, cluster: { server: `https://${name}` } }],
    users: [{ name, user: { token: 't' } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  })
}
