/** Figures that are real. */
import assert from 'node:assert/strict'
import type { Usage } from '../usage.ts'
import type { ContractCase } from './case.ts'
import type { Kit } from './kit.ts'

export const resourceCases: readonly ContractCase[] = [
  {
    title: 'measures more when more is done',
    rows: ['resources'],
    needs: ['resources'],
    async run(kit) {
      await kit.provision({ services: [kit.service({})] }, kit.ref('idle'))
      await kit.provision({ services: [kit.service({ burnsCpu: true })] }, kit.ref('busy'))
      await kit.eventually('the busy one uses more cpu than the idle one', async () => {
        const [idle, busy] = [await usage(kit, 'idle'), await usage(kit, 'busy')]
        if (idle?.cpuMillis === undefined || busy?.cpuMillis === undefined) return false
        return busy.cpuMillis > 100 && busy.cpuMillis > 2 * idle.cpuMillis
      })
      assert.ok(((await usage(kit, 'busy'))?.memoryBytes ?? 1) > 0, 'memory is a figure or left out, never 0')
    },
  },
  {
    title: 'sums usage over all replicas and services',
    rows: ['resources'],
    needs: ['resources'],
    async run(kit) {
      const services = [kit.service({}), kit.service({}, { name: 'helper', role: 'sidecar' })]
      await kit.provision({}, kit.ref('one'))
      await kit.provision({ replicas: 3, services }, kit.ref('many'))
      await kit.eventually('six processes hold more memory than one', async () => {
        const [one, many] = [await usage(kit, 'one'), await usage(kit, 'many')]
        if (one?.memoryBytes === undefined || many?.memoryBytes === undefined) return false
        return many.memoryBytes > 2 * one.memoryBytes
      })
      const { replicas, memoryBytes } = (await usage(kit, 'many')) ?? {}
      // Who tells them apart tells all of them, and no more than there is.
      if (!replicas) return
      assert.equal(new Set(replicas.map(({ engineId }) => engineId)).size, 3)
      assert.equal(
        replicas.reduce((sum, replica) => sum + (replica.memoryBytes ?? 0), 0),
        memoryBytes,
      )
    },
  },
  {
    title: 'has no figures of what does not run, rather than zeros',
    rows: ['resources'],
    needs: ['resources'],
    async run(kit) {
      assert.equal(await usage(kit, 'never'), undefined)
      await kit.provision()
      await kit.settle(kit.provider.stop(kit.ref(), kit.call))
      assert.equal(await usage(kit, 'web'), undefined)
      await kit.harness.cut()
      const { provider } = kit
      const work = provider.resources?.(kit.ref(), kit.call) ?? Promise.resolve()
      await kit.refused(work, 'engine_unreachable', 'engine_refused')
    },
  },
]

async function usage(kit: Kit, name: string): Promise<Usage | undefined> {
  return await kit.settle(kit.provider.resources?.(kit.ref(name), kit.call) ?? Promise.resolve(undefined))
}
