/** Claims of a chart whose volume is made only when a pod uses them. */
import { randomUUID } from 'node:crypto'
import { describe, it } from 'vitest'
import { call, type HelmRig, onHelm, untilDone } from '../../testing/helm-rig.ts'
import { testManager } from '../../testing/kubernetes-rig.ts'
import { resources } from '../api/resources.ts'
import { noteChart } from './testing/charts.ts'

/** A class that nobody makes volumes of, for as long as the test takes. */
async function withLateClass({ cluster }: HelmRig, test: (name: string) => Promise<void>): Promise<void> {
  const name = `late-${randomUUID().slice(0, 8)}`
  const at = { resource: resources.storageClass, name }
  const object = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'test.example/nobody',
    volumeBindingMode: 'WaitForFirstConsumer',
  }
  await cluster.api.objects.create({ resource: resources.storageClass }, object, { fieldManager: testManager }, call)
  try {
    await test(name)
  } finally {
    await cluster.api.objects.delete(at, {}, call)
  }
}

const claimOf = (storageClassName: string): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], storageClassName: ${storageClassName}, resources: { requests: { storage: 1Mi } } }
`

describe('a claim of a chart that no pod uses yet', { concurrent: true }, () => {
  it('keeps nobody waiting, and is said to be what it is', ({ skip, expect }) =>
    onHelm({ skip }, (all) =>
      withLateClass(all, async (late) => {
        const releases = all.open()
        const chart = noteChart({ 'templates/claim.yaml': claimOf(late) })
        const wanted = all.desired(all.ref('note'), chart, { timeoutSeconds: 30 })
        await untilDone(() => releases.converge(wanted, call))
        const looked = await releases.look(wanted.ref, call)
        const service = { ready: true, message: 'it gets its volume when the first pod uses it' }
        expect(looked?.stalled).toBeUndefined()
        expect(looked?.replicas).toMatchObject([{ ready: true, services: { 'persistentvolumeclaim/data': service } }])
        // Whoever listens hears the same, as soon as the kinds of the chart were listed.
        for await (const seen of releases.observe({ signal: AbortSignal.timeout(60_000) })) {
          const told =
            seen.type === 'snapshot' ? seen.instances[0] : seen.type === 'changed' ? seen.instance : undefined
          if (told?.replicas[0]?.services['persistentvolumeclaim/data']?.ready && told.replicas[0].ready) break
        }
        expect(JSON.parse(await all.helm('list', '--output', 'json'))).toMatchObject([
          { name: 'note', revision: '1', status: 'deployed' },
        ])
        // A release that ran before comes back the same way.
        const second = all.desired(wanted.ref, chart, { release: 'r2', set: { text: 'two' }, timeoutSeconds: 30 })
        await untilDone(() => releases.converge(second, call))
        await untilDone(() => releases.converge(wanted, call))
        expect(JSON.parse(await all.helm('list', '--output', 'json'))).toMatchObject([{ revision: '3' }])
        await untilDone(() => releases.remove(wanted.ref, call))
      }),
    ))

  it('is waited for in vain by Helm itself, which is told to where it must take back what fails', ({ skip, expect }) =>
    onHelm({ skip }, (all) =>
      withLateClass(all, async (late) => {
        const releases = all.open()
        const chart = noteChart({ 'templates/claim.yaml': claimOf(late) })
        const wanted = all.desired(all.ref('note'), chart, { atomic: true, timeoutSeconds: 5 })
        await expect
          .poll(async () => {
            await releases.converge(wanted, call)
            return (await releases.look(wanted.ref, call))?.stalled?.message
          })
          .toMatch(/^helm upgrade failed/)
        await untilDone(() => releases.remove(wanted.ref, call))
      }),
    ))
})
