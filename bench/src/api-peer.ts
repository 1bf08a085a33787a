/** The peer of the API's benches: the same server library and the same JSON, with nothing behind it. */
import fastify from 'fastify'
import { type Ask, bodyOf, pathOf } from './api-load.ts'

export type ApiPeer = { readonly address: string; close(): Promise<void> }

/** Reads and answers as much text as ours does; without identity, checks and store. */
export async function openPeer(): Promise<ApiPeer> {
  const app = fastify({ logger: false })
  const stored = JSON.parse(bodyOf(0)) as object
  const url = '/v1/tenants/:tenant/workloads/:name'
  app.get(url, async () => stored)
  app.put(url, async (request, reply) => reply.code(201).send(request.body))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { address, close: () => app.close() }
}

export const readOf = (at: number): Ask => ({ method: 'GET', path: pathOf(at) })
export const writeOf = (at: number): Ask => ({ method: 'PUT', path: pathOf(at), body: bodyOf(at) })
