import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import { afterAll, describe, expect, it } from 'vitest'
import { testManager } from '../../testing/kubernetes-rig.ts'
import { inOwnNamespace } from '../../testing/on-shared-cluster.ts'
import type { ClusterConfig, ClusterUser } from '../config/cluster-config.ts'
import { clusterFromText, resolveCluster } from '../config/resolve.ts'
import { writeKubeconfig } from '../config/write-kubeconfig.ts'
import type { KubernetesApi, ObjectAt } from './api.ts'
import { connectKubernetes } from './connect.ts'
import { resources } from './resources.ts'
import type { KubeObject } from './types/meta.ts'

const call = { signal: AbortSignal.timeout(900_000) }

type Review = {
  readonly status: { readonly userInfo: { readonly username: string; readonly groups?: readonly string[] } }
}
const reviews = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
}

describe('signing in to a real cluster', () => {
  let folder = ''
  const open: KubernetesApi[] = []
  const on = inOwnNamespace(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-k8s-sign-in-'))
  })
  afterAll(async () => {
    for (const api of open) api.close()
    if (folder) rmSync(folder, { recursive: true })
  })

  const as = async (user: ClusterUser): Promise<KubernetesApi> => connect({ ...on.rig.config, user, origin: 'a test' })

  async function connect(config: ClusterConfig): Promise<KubernetesApi> {
    const api = await connectKubernetes(config, call)
    open.push(api)
    return api
  }

  /** Whom the cluster takes us for. */
  async function whoami(api: KubernetesApi): Promise<string> {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} }
    const answer = await api.objects.create({ resource: reviews }, review, { fieldManager: testManager }, call)
    return (answer as unknown as Review).status.userInfo.username
  }

  it('is done by certificate, by token, and as somebody else', async () => {
    expect(await whoami(on.rig.api)).toBe('admin')
    expect(await whoami(await connect(await on.rig.configOf('admin-token')))).toBe('admin-token')
    const { token } = (await on.rig.configOf('admin-token')).user
    const impersonate = { user: 'jane', groups: ['system:masters'], extra: { 'a.example/b': ['c'] } }
    expect(await whoami(await as({ name: 'x', impersonate, ...(token && { token }) }))).toBe('jane')
  })

  it('goes on when a token in a file is another one, as in a pod', async () => {
    const first = await serviceAccount('first')
    writeFileSync(join(folder, 'token'), first.token)
    writeFileSync(join(folder, 'ca.crt'), on.rig.address.ca)
    writeFileSync(join(folder, 'namespace'), 'own')
    const { hostname, port } = new URL(on.rig.address.server)
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
    const config = await resolveCluster({ inCluster: true }, { env, serviceAccount: folder }, call)
    const api = await connect(config)
    expect(await whoami(api)).toBe(`system:serviceaccount:${on.namespace}:first`)
    await on.rig.api.objects.delete(first.at, {}, call)
    // The server remembers for some seconds whom it knew.
    await expect
      .poll(() => whoami(api).catch((error: unknown) => error), { interval: 500 })
      .toMatchObject({
        reason: 'engine_unauthenticated',
        message: expect.stringMatching(/^Kubernetes does not know service account \(the service account in /),
      })
    await expect(connectKubernetes(config, call)).rejects.toMatchObject({ reason: 'engine_unauthenticated' })
    writeFileSync(join(folder, 'token'), (await serviceAccount('second')).token)
    expect(await whoami(api)).toBe(`system:serviceaccount:${on.namespace}:second`)
  })

  it('is done by a program, again when what it said is no longer good', async () => {
    const log = join(folder, 'log')
    const script = `const fs = require('node:fs')
      const { spec: { cluster } } = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
      fs.appendFileSync(process.env.LOG, cluster.server + '\\n')
      const token = fs.readFileSync(process.env.LOG, 'utf8').split('\\n').length > 2 ? process.env.GOOD : 'stale'
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1beta1', kind: 'ExecCredential', status: { token } }))`
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1beta1' as const,
      command: process.execPath,
      args: ['-e', script],
      env: { LOG: log, GOOD: on.rig.address.limitedToken },
      provideClusterInfo: true,
    }
    // Even the first question, for the version, is refused with a token that is not good.
    const api = await as({ name: 'x', exec })
    expect(await whoami(api)).toBe('limited')
    expect(await whoami(api)).toBe('limited')
    const { server } = on.rig.address
    expect(readFileSync(log, 'utf8')).toBe(`${server}\n${server}\n`)
    const at = { namespace: on.namespace, pod: 'p', container: 'c' }
    await expect(api.pods.portForward(at, 80, call)).rejects.toMatchObject({
      reason: 'engine_forbidden',
      message: expect.stringMatching(/limited to \S+ pods\/portforward in namespace test-/),
    })
  })

  it('is done by what we wrote down ourselves', async () => {
    const text = await writeKubeconfig(on.rig.config, { clock: systemClock, env: {} }, call)
    expect(await whoami(await connect(clusterFromText(text, { from: 'a text' })))).toBe('admin')
  })

  /** With a token of the kind that pods have. */
  async function serviceAccount(name: string): Promise<{ readonly at: ObjectAt; readonly token: string }> {
    const { objects } = on.rig.api
    const resource = resources.serviceAccount
    const of = { resource, namespace: on.namespace }
    const write = { fieldManager: testManager }
    await objects.create(of, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }, write, call)
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
    const tokens = { ...of, resource: { ...resource, plural: `serviceaccounts/${name}/token` } }
    const made = await objects.create<KubeObject & { readonly status: { token: string } }>(tokens, asked, write, call)
    return { at: { ...of, name }, token: made.status.token }
  }
})
