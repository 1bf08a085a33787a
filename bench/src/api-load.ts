/** A server to measure, and connections of the same process that keep asking, where how fast they are does not matter. */
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import { createControlPlane, keySource } from '@gantry/server'
import type { Store } from '@gantry/store'
import type { Ask } from './api/requests.ts'
import { tenant } from './store-load.ts'

const connections = 32

export type ApiUnderLoad = { readonly address: string; readonly token: string; close(): Promise<void> }

/**
 * Durable, authenticated, audited and with a quota. Without rate limits, since one caller is all callers here, and without
 * controllers: what they do about a workload that was written is measured by itself.
 */
export async function openApi(call: Call, wrapStore?: (store: Store) => Store): Promise<ApiUnderLoad> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-api-'))
  const plane = createControlPlane({
    database: `sqlite:${join(folder, 'store.sqlite')}`,
    providers: {},
    edge: false,
    keys: keySource({ type: 'file', path: join(folder, 'master.key') }),
    rates: false,
    controllers: false,
    ...(wrapStore && { wrapStore }),
  })
  const address = await plane.listen({ host: '127.0.0.1', port: 0 }, call)
  const quota = { workloads: 1_000_000, replicas: 1_000_000 }
  await plane.client.tenants.put({
    apiVersion: 'gantry/v1',
    kind: 'Tenant',
    metadata: { name: tenant },
    spec: { quota },
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

/** So many requests over kept connections, each asked when its answer was read; answers per second. */
export async function drive(address: string, token: string, count: number, next: () => Ask): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let left = count
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await ask(agent, address, token, next())
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const taken = performance.now() - start
  agent.destroy()
  return (count / taken) * 1000
}

function ask(agent: Agent, address: string, token: string, { method, path, body }: Ask): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const sent = request(`${address}${path}`, { agent, method, headers }, (answer) => {
      answer.resume()
      answer.once('error', reject)
      answer.once('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve()
        else reject(new Error(`${method} ${path} was answered with ${answer.statusCode}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
