/** The whole control plane, durable, authenticated, audited and with a quota. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createControlPlane, keySource } from '@gantry/server'
import type { Store } from '@gantry/store'
import { tenant } from '../store-load.ts'
import type { Served } from './server.ts'

/** Without rate limits, since one caller is all callers here. `wrapStore`: as of `createControlPlane`. */
export async function serveOurs(wrapStore?: (store: Store) => Store): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-api-'))
  const plane = createControlPlane({
    database: `sqlite:${join(folder, 'store.sqlite')}`,
    providers: {},
    edge: false,
    keys: keySource({ type: 'file', path: join(folder, 'master.key') }),
    rates: false,
    ...(wrapStore && { wrapStore }),
  })
  const address = await plane.listen({ host: '127.0.0.1', port: 0 }, { signal: new AbortController().signal })
  await plane.client.tenants.put({
    apiVersion: 'gantry/v1',
    kind: 'Tenant',
    metadata: { name: tenant },
    spec: { quota: { workloads: 1_000_000, replicas: 1_000_000 } },
  })
  const { token } = await plane.client.tenant(tenant).tokens.create({ name: 'bench', role: 'operator' })
  return {
    address,
    token,
    async close() {
      await plane.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
