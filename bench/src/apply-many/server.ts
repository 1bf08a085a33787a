/** A process with a whole control plane: a database on disk, controllers, and the simulated engine as the usual provider. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep, systemClock } from '@gantry/core'
import { createControlPlane, keySource, limitHeapGrowth, simulatedFactory } from '@gantry/server'
import { type Size, tenantOf, tenants } from './objects.ts'

const patienceMs = 300_000

// As the server does it, which is a program as this is one.
limitHeapGrowth()
const folder = mkdtempSync(join(tmpdir(), 'gantry-apply-many-'))
const call = { signal: new AbortController().signal }
const plane = createControlPlane({
  database: `sqlite:${join(folder, 'gantry.db')}`,
  providers: { simulated: simulatedFactory() },
  edge: false,
  data: join(folder, 'data'),
  keys: keySource({ type: 'file', path: join(folder, 'master.key') }),
})
const address = await plane.listen({ host: '127.0.0.1', port: 0 }, call)
const object = (kind: 'Tenant' | 'Provider', name: string, spec: object) =>
  ({ apiVersion: 'gantry/v1', kind, metadata: { name }, spec }) as never
await plane.client.apply({
  objects: [
    ...tenants.map((name) => object('Tenant', name, {})),
    object('Provider', 'simulated', { type: 'simulated', tenants: ['*'], default: true }),
  ],
})
const { token } = await plane.client.tokens.create({ name: 'bench' })
process.send?.({ address, token })
process.on('message', ({ settle }: { readonly settle: Size }) => {
  void settled(settle).then(
    () => process.send?.({}),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
// Whoever measures is done, or gone: either way there is nobody left to serve.
process.once('disconnect', () => void plane.stop().then(() => rmSync(folder, { recursive: true })))

/** Every workload of the tenant is as it was asked for, and nothing is left to be done. */
async function settled(size: Size): Promise<void> {
  const deadline = performance.now() + patienceMs
  const { workloads } = plane.client.tenant(tenantOf(size))
  for (;;) {
    const all = await workloads.list({ limit: 500 }).toArray()
    const left = all.filter(({ metadata, status }) => {
      const progressing = status.conditions?.find(({ type }) => type === 'Progressing')?.status
      return status.observedGeneration !== metadata.generation || progressing !== 'False'
    })
    if (left.length === 0 && all.length === size) return
    if (performance.now() > deadline) throw new Error(`${left.length} of ${all.length} workloads have not settled`)
    await sleep(systemClock, 100, call)
  }
}
