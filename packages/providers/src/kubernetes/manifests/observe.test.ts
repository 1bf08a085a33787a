import { describe, expect, it } from 'vitest'
import type { Observation, Observed } from '../../observed.ts'
import { type Ref, refKey } from '../../ref.ts'
import { apiFront } from '../../testing/api-front.ts'
import { call, onSets } from '../../testing/set-rig.ts'
import { connectKubernetes } from '../api/connect.ts'
import type { ManifestSets } from './manifests.ts'

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`
const deployment = (name: string, container: string, more = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {terminationGracePeriodSeconds: 0, ${more}containers: [{name: main, ${container}}]}
`

/** What an engine would hear, kept by instance. */
function watching(sets: ManifestSets) {
  const over = new AbortController()
  const heard: Observation[] = []
  const now = new Map<string, Observed>()
  const waiters = new Set<() => void>()
  const ended = (async () => {
    for await (const observation of sets.observe({ signal: over.signal })) {
      heard.push(observation)
      if (observation.type === 'snapshot') {
        now.clear()
        for (const instance of observation.instances) now.set(refKey(instance.ref), instance)
      } else if (observation.type === 'changed') now.set(refKey(observation.instance.ref), observation.instance)
      else if (observation.type === 'gone') now.delete(refKey(observation.ref))
      for (const look of [...waiters]) look()
    }
  })().catch((error: unknown) => {
    if (error !== over.signal.reason) throw error
  })
  return {
    heard,
    of: (ref: Ref) => now.get(refKey(ref)),
    /** Resolves when it is so, with the time that it took. */
    until: (ref: Ref, isSo: (seen: Observed | undefined) => boolean): Promise<number> =>
      new Promise((resolve, reject) => {
        const begun = Date.now()
        const late = setTimeout(() => reject(new Error(`never seen: ${JSON.stringify(now.get(refKey(ref)))}`)), 60_000)
        const look = (): void => {
          if (!isSo(now.get(refKey(ref)))) return
          waiters.delete(look)
          clearTimeout(late)
          resolve(Date.now() - begun)
        }
        waiters.add(look)
        look()
      }),
    async end() {
      over.abort(new Error('seen enough'))
      await ended
    },
  }
}

const serviceOf = (seen: Observed | undefined, name: string) => seen?.replicas[0]?.services[name]

describe.concurrent('what is heard of sets', () => {
  it('begins with what is there, and follows every change', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(`${configMap('one')}---\n${deployment('web', 'image: __IMAGE__')}`)
      const other = rig.desired(configMap('other'), { ref: rig.ref('other') })
      await rig.converged(other)
      const watch = watching(rig.sets)
      await watch.until(other.ref, (seen) => seen?.replicas[0]?.ready === true)
      expect(watch.heard[0]).toMatchObject({ type: 'snapshot', instances: [{ ref: other.ref }] })
      await rig.converged(desired)
      await watch.until(desired.ref, (seen) => seen?.replicas[0]?.ready === true)
      const seen = watch.of(desired.ref)
      expect(seen).toMatchObject({ drift: [], replicas: [{ index: 0, release: 'r1', specHash: desired.specHash }] })
      expect(Object.keys(seen?.replicas[0]?.services ?? {}).sort()).toEqual(['configmap/one', 'deployment/web'])
      expect(serviceOf(seen, 'deployment/web')).toMatchObject({ role: 'main', phase: 'running', restarts: 0 })
      // By asking it is the same.
      const { at: _, ...asked } = (await rig.sets.look(desired.ref, call)) as Observed
      expect(asked).toEqual({ ...seen, at: undefined })

      const deleted = rig.kubectl('delete', 'configmap', 'one')
      await watch.until(desired.ref, (now) => now?.drift.join() === 'configmap/one')
      expect(watch.of(desired.ref)?.replicas[0]?.ready).toBe(false)
      await deleted
      await rig.converged(desired)
      await watch.until(desired.ref, (now) => now?.replicas[0]?.ready === true && now.drift.length === 0)

      await rig.removed(desired.ref)
      await watch.until(desired.ref, (now) => now === undefined)
      expect(watch.heard.some(({ type }) => type === 'blind')).toBe(false)
      await watch.end()
    })
  })

  it('comes within a second', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const desired = rig.desired(configMap('one'))
      await rig.converged(desired)
      const watch = watching(rig.sets)
      await watch.until(desired.ref, (seen) => seen?.replicas[0]?.ready === true)
      const at = {
        resource: { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
        namespace: rig.namespace,
        name: 'one',
      }
      await rig.rig.api.objects.delete(at, {}, call)
      expect(await watch.until(desired.ref, (seen) => seen?.replicas[0]?.ready === false)).toBeLessThan(1000)
      await watch.end()
    })
  })

  for (const [what, text, stall, phase] of [
    [
      'an image that nobody has',
      deployment('web', 'image: "gantry-test/nowhere:1", imagePullPolicy: Always'),
      { reason: 'image_pull_failed', message: /deployment\/web: main: \w*ImagePull\w*/ },
      'pulling',
    ],
    [
      'a program that ends',
      deployment('web', 'image: __IMAGE__, command: [sh, -c, "exit 7"]'),
      { reason: 'rollout_stalled', message: /CrashLoopBackOff.*exit code 7/ },
      'crashed',
    ],
    [
      'no node that fits',
      deployment('web', 'image: __IMAGE__', 'nodeSelector: {gantry.example/none: x}, '),
      { reason: 'rollout_stalled', message: /no node for web-.*: 0\/1 nodes/ },
      'waiting',
    ],
    [
      'pods that are refused',
      deployment('web', 'image: __IMAGE__', 'serviceAccountName: nobody, '),
      { reason: 'rollout_stalled', message: /forbidden.*service account/ },
      'starting',
    ],
    [
      'pods of a StatefulSet that are refused',
      deployment('web', 'image: __IMAGE__', 'serviceAccountName: nobody, ').replace('Deployment', 'StatefulSet'),
      { reason: 'rollout_stalled', message: /forbidden.*service account/ },
      'waiting',
    ],
    [
      'a Job that failed',
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: web}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: main, image: __IMAGE__, command: ["false"]}]}}}\n',
      { reason: 'rollout_stalled', message: /job\/web: Job has reached the specified backoff limit/ },
      'crashed',
    ],
  ] as const) {
    it(`says why it is stuck, in the words of the cluster: ${what}`, async ({ skip }) => {
      await onSets({ skip }, async (rig) => {
        const desired = rig.desired(text)
        const watch = watching(rig.sets)
        await rig.sets.converge(desired, call)
        await watch.until(
          desired.ref,
          (seen) => seen?.stalled !== undefined && stall.message.test(seen.stalled.message),
        )
        const seen = watch.of(desired.ref)
        expect(seen?.stalled).toMatchObject({ reason: stall.reason, replica: 0 })
        expect(Object.values(seen?.replicas[0]?.services ?? {})[0]).toMatchObject({ phase, ready: false })
        await watch.end()
      })
    })
  }

  it('counts a Job that is done as done, alone and beside others', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const job =
        'apiVersion: batch/v1\nkind: Job\nmetadata: {name: setup}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: __IMAGE__, command: ["true"]}]}}}\n'
      const alone = rig.desired(job)
      await rig.converged(alone)
      const first = await rig.sets.look(alone.ref, call)
      expect(serviceOf(first, 'job/setup')).toMatchObject({
        role: 'main',
        phase: 'running',
        ready: true,
        message: 'completed',
      })
      const beside = rig.desired(`${job}---\n${configMap('one')}`, { release: 'r2' })
      await rig.converged(beside)
      const second = await rig.sets.look(beside.ref, call)
      expect(serviceOf(second, 'job/setup')).toMatchObject({ role: 'init', phase: 'completed', ready: true })
      expect(second?.replicas[0]?.ready).toBe(true)
    })
  })

  it('knows the containers behind Deployments, Jobs and Services', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const service =
        'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{name: http, port: 80}]}\n'
      const desired = rig.desired([deployment('web', 'image: __IMAGE__'), service, configMap('one')].join('---\n'))
      await rig.converged(desired)
      const seen = await rig.sets.look(desired.ref, call)
      const engineId = seen?.replicas[0]?.engineId ?? ''
      expect(rig.sets.owns(engineId)).toBe(true)
      expect(rig.sets.owns('x')).toBe(false)
      const behind = await rig.sets.containersOf(engineId, 'deployment/web', call)
      expect(behind).toMatchObject([{ namespace: rig.namespace, container: 'main', running: true, role: 'main' }])
      expect(await rig.sets.containersOf(engineId, 'service/web', call)).toEqual(behind)
      expect(await rig.sets.containersOf(engineId, 'configmap/one', call)).toEqual([])
      await expect(rig.sets.containersOf(engineId, 'deployment/no', call)).rejects.toMatchObject({
        reason: 'service_not_found',
      })
      expect(seen?.endpoints).toMatchObject([
        { service: 'service/web', port: 'http', protocol: 'http', stable: true, via: 'direct' },
      ])
      expect(await rig.sets.hasAny(rig.namespace, call)).toBe(true)
      await rig.removed(desired.ref)
      expect(await rig.sets.hasAny(rig.namespace, call)).toBe(false)
      await expect(rig.sets.containersOf(engineId, 'deployment/web', call)).rejects.toMatchObject({
        reason: 'replica_not_found',
      })
    })
  })

  it('is ready with a claim that gets its volume only when a pod uses it, and says so', async ({ skip }) => {
    await onSets({ skip }, async (rig) => {
      const claim = 'kind: PersistentVolumeClaim\nmetadata: {name: data}\n'
      const spec =
        'spec: {accessModes: [ReadWriteOnce], storageClassName: late-__ID__, resources: {requests: {storage: 1Mi}}}\n'
      const late = rig.desired(
        `${configMap('one')}---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: late-__ID__}\nprovisioner: test.example/nobody\nvolumeBindingMode: WaitForFirstConsumer\n---\napiVersion: v1\n${claim}${spec}`,
      )
      await rig.converged(late)
      const message = 'it gets its volume when the first pod uses it'
      const services = { 'persistentvolumeclaim/data': { ready: true, message } }
      expect(await rig.sets.look(late.ref, call)).toMatchObject({ replicas: [{ ready: true, services }] })
      const watch = watching(rig.setsWith({}))
      try {
        await watch.until(late.ref, (seen) => seen?.replicas[0]?.ready === true)
        expect(watch.of(late.ref)).toMatchObject({ replicas: [{ services }] })
      } finally {
        await watch.end()
      }
      await rig.removed(late.ref)
    })
  })

  it('is blind once while the cluster is away, and then begins anew with what has changed meanwhile', async ({
    skip,
  }) => {
    await onSets({ skip }, async (rig) => {
      const front = await apiFront(rig.rig.address)
      const api = await connectKubernetes(front.config, call)
      const desired = rig.desired(`${configMap('one')}---\n${configMap('two')}`)
      await rig.converged(desired)
      const watch = watching(rig.setsWith({ api }))
      try {
        await watch.until(desired.ref, (seen) => seen?.replicas[0]?.ready === true)
        front.cut()
        await rig.kubectl('delete', 'configmap', 'one')
        await watch.until(desired.ref, () => watch.heard.some(({ type }) => type === 'blind'))
        front.heal()
        await watch.until(desired.ref, (seen) => seen?.drift.join() === 'configmap/one')
        const words = watch.heard.map(({ type }) => type).filter((type) => type !== 'changed')
        expect(words).toEqual(['snapshot', 'blind', 'snapshot'])
        // A watch that ends in between is asked for again, and nothing is missed.
        front.cutWatches()
        await rig.converged(desired)
        await watch.until(desired.ref, (seen) => seen?.replicas[0]?.ready === true && seen.drift.length === 0)
      } finally {
        await watch.end()
        api.close()
        await front.close()
      }
    })
  })
})
