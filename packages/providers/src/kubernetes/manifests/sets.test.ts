import { isFault } from '@gantry/core'
import { describe, expect, it } from 'vitest'
import { label } from '../../labels.ts'
import { call, onSets, type SetRig } from '../../testing/set-rig.ts'
import { resources } from '../api/resources.ts'
import { confined } from './manifests.ts'
import { countedApi } from './testing/counted-api.ts'

const configMap = (name: string, value = '1', meta = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}${meta}}\ndata: {a: "${value}"}\n`

const deployment = (name: string, more = '', image = '__IMAGE__'): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  ${more}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      terminationGracePeriodSeconds: 0
      containers: [{name: main, image: "${image}"}]
`

async function faultOf(work: Promise<unknown>) {
  const error = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  )
  if (!isFault(error)) throw error
  return { reason: error.reason, message: error.message, issues: error.issues }
}

async function dataOf(rig: SetRig, name: string): Promise<string> {
  const { stdout } = await rig.kubectl('get', 'configmap', name, '--ignore-not-found', '-o', 'jsonpath={.data.a}')
  return stdout
}

describe.concurrent('a set that changes', () => {
  it('has an object renamed: the new one comes before the old one goes', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      await rig.converged(rig.desired(deployment('old')))
      const { api, writes } = countedApi(rig.rig.api)
      const reasons = await rig.converged(rig.desired(deployment('new'), { release: 'r2' }), rig.setsWith({ api }))
      const order = writes.map(({ verb, object }) => `${verb} ${object.replace(/gantry-set.*/, 'record')}`)
      expect(order.indexOf('apply Deployment/new')).toBeLessThan(order.indexOf('delete Deployment/old'))
      expect(reasons.some((reason) => reason.startsWith('deployment/new: '))).toBe(true)
      const { stdout } = await rig.kubectl('get', 'deployments,pods', '-o', 'name')
      expect(stdout).toMatch(/^pod\/new-\S+\ndeployment.apps\/new\n$|^deployment.apps\/new\npod\/new-\S+\n$/)
    })
  })

  it('with the strategy recreate lets the old go first', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      await rig.converged(rig.desired(configMap('old')))
      const { api, writes } = countedApi(rig.rig.api)
      const update = { type: 'recreate', minReadySeconds: 0 } as const
      await rig.converged(rig.desired(configMap('new'), { release: 'r2', update }), rig.setsWith({ api }))
      const order = writes.map(({ verb, object }) => `${verb} ${object}`)
      expect(order.indexOf('delete ConfigMap/old')).toBeGreaterThan(-1)
      expect(order.indexOf('delete ConfigMap/old')).toBeLessThan(order.indexOf('apply ConfigMap/new'))
    })
  })

  it('moves an object into another namespace', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const other = await rig.rig.ownNamespace()
      try {
        const allow = { clusterScoped: [], namespaces: { acme: [other.name] } }
        const sets = rig.setsWith({ allow })
        await rig.converged(rig.desired(configMap('mover')), sets)
        const moved = rig.desired(configMap('mover', '2', `, namespace: ${other.name}`), { release: 'r2' })
        await rig.converged(moved, sets)
        const { stdout } = await rig.kubectl(
          'get',
          'configmap',
          '-A',
          '--field-selector',
          'metadata.name=mover',
          '-o',
          'jsonpath={.items[*].metadata.namespace}',
        )
        expect(stdout).toBe(other.name)
        const seen = await sets.look(moved.ref, call)
        expect(Object.keys(seen?.replicas[0]?.services ?? {})).toEqual([`${other.name}.configmap/mover`])
        await rig.removed(moved.ref, sets)
        expect((await rig.kubectl('get', 'configmap', '-n', other.name, 'mover')).stderr).toContain('NotFound')
      } finally {
        await other.end()
      }
    })
  })

  it('writes one object and its record where one of many has changed', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const many = (value: string): string =>
        ['a', 'b', 'c', 'd'].map((name) => configMap(name, name === 'c' ? value : '1')).join('---\n')
      await rig.converged(rig.desired(many('1')))
      const { api, writes } = countedApi(rig.rig.api)
      await rig.converged(rig.desired(many('2'), { release: 'r2' }), rig.setsWith({ api }))
      const names = writes.map(({ verb, object }) => `${verb} ${object.replace(/gantry-set.*/, 'record')}`)
      expect(names).toEqual(['replace ConfigMap/record', 'apply ConfigMap/c', 'replace ConfigMap/record'])
    })
  })

  it('is stopped and started: nothing of it runs meanwhile, and what is no program stays', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const pod =
        'apiVersion: v1\nkind: Pod\nmetadata: {name: alone}\nspec: {terminationGracePeriodSeconds: 0, containers: [{name: main, image: __IMAGE__}]}\n'
      const text = [deployment('web', 'replicas: 2'), pod, configMap('kept')].join('---\n')
      await rig.converged(rig.desired(text))
      const stopped = rig.desired(text, { run: 'stopped' })
      await rig.converged(stopped)
      expect((await rig.kubectl('get', 'pods', '-o', 'name')).stdout).toBe('')
      expect(await dataOf(rig, 'kept')).toBe('1')
      expect((await rig.sets.look(stopped.ref, call))?.replicas).toEqual([])
      await rig.converged(rig.desired(text))
      expect((await rig.kubectl('get', 'pods', '-o', 'name')).stdout.trim().split('\n')).toHaveLength(3)
    })
  })

  it('is restarted: its pods are others, its objects the same', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const before = rig.desired(deployment('web'))
      await rig.converged(before)
      const pods = async (): Promise<string> => (await rig.kubectl('get', 'pods', '-o', 'name')).stdout
      const first = await pods()
      await rig.converged({ ...before, specHash: `${before.specHash}-again` })
      const second = await pods()
      expect(second).not.toBe(first)
      await rig.converged({ ...before, specHash: `${before.specHash}-again` })
      expect(await pods()).toBe(second)
    })
  })
})

describe.concurrent('what others do', () => {
  it('is repaired where an object or a field of ours is gone', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const text = `${configMap('one')}---\n${configMap('two', '1', ', labels: {mine: "yes"}')}`
      const desired = rig.desired(text)
      await rig.converged(desired)
      await rig.kubectl('delete', 'configmap', 'one')
      await rig.kubectl('label', 'configmap', 'two', 'mine-')
      expect((await rig.sets.look(desired.ref, call))?.drift).toEqual(['configmap/one', 'configmap/two'])
      await rig.converged(desired)
      expect(await dataOf(rig, 'one')).toBe('1')
      const { stdout } = await rig.kubectl('get', 'configmap', 'two', '-o', 'jsonpath={.metadata.labels.mine}')
      expect(stdout).toBe('yes')
      expect((await rig.sets.look(desired.ref, call))?.drift).toEqual([])
    })
  })

  it('to fields of ours is a conflict, named by field and manager, until it is let go or overwritten', async ({
    skip,
  }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(deployment('web', 'replicas: 1'))
      await rig.converged(desired)
      await rig.kubectl('scale', 'deployment', 'web', '--replicas=2')
      const fault = await faultOf(rig.converged(desired))
      expect(fault.reason).toBe('engine_object_conflict')
      expect(fault.issues).toEqual([
        {
          path: 'source.manifests[doc 1] Deployment/web spec.replicas',
          message: expect.stringMatching(/^is managed by kubectl/),
          line: expect.any(Number),
        },
      ])
      expect(fault.message).toContain('gantry.dev/conflicts: overwrite')
      const seen = await rig.sets.look(desired.ref, call)
      expect(seen?.stalled).toMatchObject({ reason: 'engine_object_conflict', message: fault.message })
      expect(seen?.drift).toEqual(['deployment/web'])
      // Left out, it is the other's.
      await rig.converged(rig.desired(deployment('web'), { release: 'r2' }))
      const replicas = async (): Promise<string> =>
        (await rig.kubectl('get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}')).stdout
      expect(await replicas()).toBe('2')
      const forced = deployment('web', 'replicas: 1').replace(
        'metadata: {name: web}',
        'metadata: {name: web, annotations: {gantry.dev/conflicts: overwrite}}',
      )
      await rig.converged(rig.desired(forced, { release: 'r3' }))
      expect(await replicas()).toBe('1')
      expect((await rig.sets.look(desired.ref, call))?.stalled).toBeUndefined()
    })
  })

  it('have under our names is not touched, by apply, prune or removal', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      await rig.kubectl('create', 'configmap', 'theirs', '--from-literal=a=theirs')
      const desired = rig.desired(`${configMap('ours')}---\n${configMap('theirs')}`)
      const fault = await faultOf(rig.converged(desired))
      expect(fault).toMatchObject({
        reason: 'foreign_object',
        issues: [{ path: 'source.manifests[doc 2] ConfigMap/theirs', message: expect.stringContaining('not ours') }],
      })
      expect(await dataOf(rig, 'ours')).toBe('')
      await rig.removed(desired.ref)
      expect(await dataOf(rig, 'theirs')).toBe('theirs')
      // Made anew by somebody under the name of one that we made.
      await rig.converged(rig.desired(`${configMap('ours')}---\n${configMap('again')}`))
      await rig.kubectl('delete', 'configmap', 'again')
      await rig.kubectl('create', 'configmap', 'again', '--from-literal=a=theirs')
      await rig.converged(rig.desired(configMap('ours'), { release: 'r2' }))
      expect(await dataOf(rig, 'again')).toBe('theirs')
    })
  })

  it('have can be adopted, and is left behind without our fields', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      await rig.kubectl('create', 'configmap', 'shared', '--from-literal=b=theirs')
      const adopting = configMap('shared', 'ours', ', annotations: {gantry.dev/existing: adopt}')
      const desired = rig.desired(adopting)
      await rig.converged(desired)
      expect(await dataOf(rig, 'shared')).toBe('ours')
      await rig.removed(desired.ref)
      const { stdout } = await rig.kubectl('get', 'configmap', 'shared', '-o', 'json')
      const left = JSON.parse(stdout) as { data: object; metadata: { labels?: object; annotations?: object } }
      expect(left.data).toEqual({ b: 'theirs' })
      expect(left.metadata.labels).toBeUndefined()
      expect(left.metadata.annotations).toBeUndefined()
    })
  })

  it('have in another workload of ours is not touched either, and a former one of the name is waited for', async ({
    skip,
  }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(configMap('one'))
      await rig.converged(desired)
      const neighbour = rig.desired(configMap('one'), { ref: rig.ref('neighbour') })
      expect(await faultOf(rig.converged(neighbour))).toMatchObject({
        reason: 'foreign_object',
        message: expect.stringContaining('acme/web'),
      })
      const next = rig.desired(configMap('one', '2'), { ref: { ...rig.ref(), uid: 'another' } })
      expect(await rig.sets.converge(next, call)).toMatchObject({
        state: 'yield',
        reason: expect.stringContaining('former acme/web'),
      })
      // The younger one's removal is none of the older one's.
      expect(await rig.sets.remove(next.ref, call)).toEqual({ state: 'done' })
      expect(await dataOf(rig, 'one')).toBe('1')
    })
  })

  it('took our labels from is theirs, and stays', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(configMap('handed'))
      await rig.converged(desired)
      await rig.kubectl('label', 'configmap', 'handed', `${label.uid}-`)
      await rig.removed(desired.ref)
      expect(await dataOf(rig, 'handed')).toBe('1')
    })
  })
})

describe.concurrent('a set that cannot be', () => {
  it('says what the server refuses, by object and field', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const text = [
        configMap('good'),
        'apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {ports: [{port: 99999, targetPort: 80}]}\n',
        'apiVersion: v1\nkind: Service\nmetadata: {name: unknown}\nspec: {prots: [{port: 1}]}\n',
      ].join('---\n')
      const fault = await faultOf(rig.converged(rig.desired(text)))
      expect(fault.reason).toBe('engine_rejected')
      expect(fault.issues).toEqual([
        expect.objectContaining({
          path: 'source.manifests[doc 2] Service/bad spec.ports[0].port',
          message: expect.stringContaining('99999'),
        }),
        expect.objectContaining({ path: 'source.manifests[doc 3] Service/unknown spec.prots' }),
      ])
    })
  })

  it('says which kind the cluster does not know', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const text = 'apiVersion: nobody.example.invalid/v1\nkind: Nothing\nmetadata: {name: x}\n'
      expect(await faultOf(rig.converged(rig.desired(text)))).toMatchObject({
        reason: 'field_unsupported',
        issues: [{ path: 'source.manifests[doc 1] Nothing/x', message: expect.stringContaining('does not know') }],
      })
    })
  })

  it('is confined to the namespace of its tenant, also where only the cluster knows the kind', async ({ skip }) => {
    await onSets(
      { skip },
      async (rig) => {
        const role = 'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: x}\nrules: []\n'
        const text = `${role}---\n${configMap('x', '1', ', namespace: kube-system')}`
        const desired = rig.desired(text)
        const issues = rig.sets.check(desired)
        expect(issues).toEqual([
          expect.objectContaining({
            path: 'source.manifests[doc 1] ClusterRole/x',
            message: expect.stringContaining('cluster'),
          }),
          expect.objectContaining({
            path: 'source.manifests[doc 2] ConfigMap/x',
            message: expect.stringContaining('kube-system'),
          }),
        ])
        expect(await faultOf(rig.converged(desired))).toMatchObject({ issues })
        // A kind whose definition somebody else installed.
        const name = `moons.m${rig.id}.example.invalid`
        const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
        const spec = {
          group: `m${rig.id}.example.invalid`,
          scope: 'Cluster',
          names: { plural: 'moons', singular: 'moon', kind: 'Moon' },
          versions: [{ name: 'v1', served: true, storage: true, schema }],
        }
        const definition = {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name },
          spec,
        }
        const at = { resource: resources.customResourceDefinition }
        await rig.rig.api.objects.create(at, definition, { fieldManager: 'test' }, call)
        try {
          await rig.kubectl('wait', '--for=condition=Established', `crd/${name}`, '--timeout=20s')
          const moon = `apiVersion: m${rig.id}.example.invalid/v1\nkind: Moon\nmetadata: {name: x}\n`
          expect(rig.sets.check(rig.desired(moon))).toEqual([])
          const fault = await faultOf(rig.converged(rig.desired(moon)))
          expect(fault.issues).toMatchObject([{ path: 'source.manifests[doc 1] Moon/x' }])
        } finally {
          await rig.rig.api.objects.delete({ ...at, name }, {}, call)
        }
      },
      confined,
    )
  })

  it('waits for what a finalizer keeps, and says which', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(configMap('held', '1', ', finalizers: [example.invalid/hold]'))
      await rig.converged(desired)
      const pass = await rig.sets.remove(desired.ref, call)
      expect(pass).toMatchObject({
        state: 'yield',
        reason: 'configmap/held to be gone, which the finalizer example.invalid/hold keeps',
      })
      expect(await rig.sets.remove(desired.ref, call)).toEqual(pass)
      await rig.kubectl(
        'patch',
        'configmap',
        'held',
        '--type=json',
        '-p',
        '[{"op":"remove","path":"/metadata/finalizers"}]',
      )
      expect(await rig.sets.remove(desired.ref, call)).toEqual({ state: 'done' })
    })
  })
})
