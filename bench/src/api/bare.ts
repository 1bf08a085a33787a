/** The peer of reads: the same server library, the same address and as much JSON, with nothing behind it. */
import fastify from 'fastify'
import type { ApiUnderLoad } from '../api-load.ts'
import { bodyOf } from './requests.ts'

export async function serveBare(): Promise<ApiUnderLoad> {
  const app = fastify({ logger: false })
  const stored = JSON.parse(bodyOf(0)) as object
  app.get('/v1/tenants/:tenant/workloads/:name', async () => stored)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { address, token: 'nobody-asks', close: () => app.close() }
}
