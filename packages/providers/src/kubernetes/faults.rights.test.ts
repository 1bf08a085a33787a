/** An account that may not do everything, and one that the cluster no longer knows: said in words that tell what to change. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Watcher } from '../contract/watcher.ts'
import { type KubernetesRig, kubernetesRig, testManager } from '../testing/kubernetes-rig.ts'
import { onCluster } from '../testing/on-kubernetes.ts'
import type { KubernetesApi, Resource } from './api/api.ts'
import { connectKubernetes } from './api/connect.ts'
import { resources } from './api/resources.ts'
import type { KubeObject } from './api/types/meta.ts'

const call = { signal: AbortSignal.timeout(600_000) }
const write = { fieldManager: testManager, force: true }

const rbac = (kind: string, plural: string): Resource => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
})
const roles = rbac('ClusterRole', 'clusterroles')
const bindings = rbac('ClusterRoleBinding', 'clusterrolebindings')
const rbacVersion = 'rbac.authorization.k8s.io/v1'

type Rule = { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }

const everyVerb = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']

/** All that the engine uses, but for this. */
function rulesWithout(resource: string, verb: string): Rule[] {
  const rule = (group: string, plural: string): Rule => ({
    apiGroups: [group],
    resources: [plural, `${plural}/*`],
    verbs: everyVerb.filter((each) => plural !== resource || each !== verb),
  })
  const core = ['namespaces', 'nodes', 'pods', 'services', 'configmaps', 'secrets', 'events', 'persistentvolumeclaims']
  return [
    ...core.map((plural) => rule('', plural)),
    ...['deployments', 'statefulsets', 'replicasets'].map((plural) => rule('apps', plural)),
    rule('policy', 'poddisruptionbudgets'),
    rule('discovery.k8s.io', 'endpointslices'),
    rule('storage.k8s.io', 'storageclasses'),
    rule('metrics.k8s.io', 'pods'),
  ]
}

type Account = {
  readonly user: string
  readonly api: KubernetesApi
  may(rules: Rule[]): Promise<void>
  end(): Promise<void>
}

/** Somebody whom only this test knows, spoken for by one who may do everything. */
async function account(rig: KubernetesRig): Promise<Account> {
  const user = `gantry-${randomUUID().slice(0, 8)}`
  const { objects } = rig.api
  const may = async (rules: Rule[]): Promise<void> => {
    const role = { apiVersion: rbacVersion, kind: 'ClusterRole', metadata: { name: user }, rules }
    await objects.apply({ resource: roles, name: user }, role, write, call)
  }
  await may([])
  const binding = {
    apiVersion: rbacVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
  }
  await objects.apply({ resource: bindings, name: user }, binding, write, call)
  const { user: admin, ...config } = await rig.configOf('admin-token')
  // Whoever has signed in may find out what there is.
  const impersonate = { user, groups: ['system:authenticated'], extra: {} }
  const api = await connectKubernetes({ ...config, user: { ...admin, impersonate } }, call)
  return {
    user,
    api,
    may,
    async end() {
      api.close()
      for (const resource of [bindings, roles]) await objects.delete({ resource, name: user }, {}, call)
    },
  }
}

describe('an account of a cluster', { timeout: 240_000 }, () => {
  it('that may not do one thing is told which verb on what and where, and goes on when it may', async ({ skip }) => {
    const rig = await kubernetesRig()
    if ('missing' in rig) return skip(rig.missing)
    const limited = await account(rig)
    try {
      await limited.may(rulesWithout('deployments', 'patch'))
      await onCluster(
        rig,
        async ({ kit, harness }) => {
          const { engine } = harness
          const refusedFor = (verb: string, resource: string) =>
            new RegExp(`${limited.user} to ${verb} ${resource} in namespace ${harness.namespaceOf(kit.ref())}.*Role`)
          const desired = kit.desired()
          await expect(engine.converge(desired, kit.call)).rejects.toMatchObject({
            reason: 'engine_forbidden',
            message: expect.stringMatching(refusedFor('patch', 'deployments.apps')),
          })
          await limited.may(rulesWithout('deployments', 'delete'))
          await kit.eventually('it is there', async () => {
            const pass = await engine.converge(desired, kit.call).catch(() => undefined)
            return pass?.state === 'done'
          })
          await expect(engine.remove(kit.ref(), { retained: 'delete' }, kit.call)).rejects.toMatchObject({
            reason: 'engine_forbidden',
            message: expect.stringMatching(refusedFor('delete', 'deployments.apps')),
          })
          expect(await engine.look(kit.ref(), kit.call)).toBeDefined()
          await limited.may(rulesWithout('none', 'none'))
          await kit.eventually('it is gone', async () => {
            const pass = await engine.remove(kit.ref(), { retained: 'delete' }, kit.call).catch(() => undefined)
            return pass?.state === 'done'
          })
        },
        { api: limited.api },
      )
    } finally {
      await limited.end()
    }
  })

  it('that the cluster no longer knows leaves the engine blind, until its token is another', async ({ skip }) => {
    const rig = await kubernetesRig()
    if ('missing' in rig) return skip(rig.missing)
    const folder = mkdtempSync(join(tmpdir(), 'gantry-token-'))
    const own = await rig.ownNamespace()
    const file = join(folder, 'token')
    const binding = `gantry-${randomUUID().slice(0, 8)}`
    try {
      await bindAll(rig, binding, own.name)
      writeFileSync(file, await tokenOf(rig, own.name, 'first'))
      const config = { ...rig.config, user: { name: 'by file', token: { file } } }
      const api = await connectKubernetes(config, call)
      await onCluster(
        rig,
        async ({ kit, harness: { engine } }) => {
          await kit.provision()
          const watcher = new Watcher(kit)
          await watcher.next((seen) => seen[0])
          // With its account a token is worth nothing any more, before its time.
          const gone = { resource: resources.serviceAccount, namespace: own.name, name: 'first' }
          await rig.api.objects.delete(gone, {}, call)
          const blind = await watcher.next((seen) => seen.find(({ type }) => type === 'blind'))
          expect(blind).toMatchObject({ fault: { reason: 'engine_unauthenticated' } })
          await expect(engine.converge(kit.desired(), kit.call)).rejects.toMatchObject({
            kind: 'unavailable',
            message: expect.stringMatching(/does not know by file .*token or certificate has expired/),
          })
          const at = watcher.seen.length
          writeFileSync(file, await tokenOf(rig, own.name, 'second'))
          await watcher.next((seen) => seen.slice(at).find(({ type }) => type === 'snapshot'))
          await kit.provision()
          await watcher.leave()
          await kit.gone()
        },
        { api },
      )
      api.close()
    } finally {
      await rig.api.objects.delete({ resource: bindings, name: binding }, {}, call)
      await own.end()
      rmSync(folder, { recursive: true })
    }
  })
})

/** All accounts of the namespace may do everything. */
async function bindAll({ api }: KubernetesRig, name: string, namespace: string): Promise<void> {
  const binding = {
    apiVersion: rbacVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: `system:serviceaccounts:${namespace}` }],
  }
  await api.objects.apply({ resource: bindings, name }, binding, write, call)
}

/** Of an account that is made for it, for as short as there are any. */
async function tokenOf({ api }: KubernetesRig, namespace: string, name: string): Promise<string> {
  const made = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }
  await api.objects.create({ resource: resources.serviceAccount, namespace }, made, write, call)
  const asked = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: {},
    spec: { expirationSeconds: 600 },
  }
  const requests: Resource = { ...resources.serviceAccount, plural: `serviceaccounts/${name}/token` }
  type Answer = KubeObject & { readonly status: { readonly token: string } }
  const { status } = await api.objects.create<Answer>({ resource: requests, namespace }, asked, write, call)
  return status.token
}
