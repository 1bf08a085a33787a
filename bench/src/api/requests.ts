/** The requests of the API's benches, as bytes: both the servers' process and the one that asks make them by number. */
import { nameOf, specOf, tenant } from '../store-load.ts'

export type Ask = { readonly method: 'GET' | 'PUT'; readonly path: string; readonly body?: string }

export const pathOf = (at: number): string => `/v1/tenants/${tenant}/workloads/${nameOf(at)}`

export const readOf = (at: number): Ask => ({ method: 'GET', path: pathOf(at) })
export const writeOf = (at: number): Ask => ({ method: 'PUT', path: pathOf(at), body: bodyOf(at) })

export function bodyOf(at: number): string {
  const { provider: _, ...spec } = specOf(at) as { provider: string }
  return JSON.stringify({ apiVersion: 'gantry/v1', kind: 'Workload', metadata: { name: nameOf(at) }, spec })
}

/** As it goes over the wire. */
export function requestText({ method, path, body }: Ask, token: string): string {
  const about = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n${about}\r\n${body ?? ''}`
}
