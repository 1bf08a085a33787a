/** A process with a whole control plane: a database on disk, controllers, and the simulated engine as the usual provider. */
import { sleep, systemClock } from '@gantry/core'
import { limitHeapGrowth } from '@gantry/server'
import { wholePlane } from '../whole-plane.ts'
import { type Size, tenantOf, tenants } from './objects.ts'

const patienceMs = 300_000

// As the server does it, which is a program as this is one.
limitHeapGrowth()
const call = { signal: new AbortController().signal }
const { plane, close } = wholePlane()
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
process.once('disconnect', () => void close())

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
