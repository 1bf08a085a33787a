/** What of an endpoint goes over the wire, and nothing of what is in it: enough to ask, without any schema. */
import type { Endpoint } from '../endpoint.ts'

/** Operation, method, path, statuses and type of the answer, type of the body if it takes one. */
export type WireEndpoint = readonly [
  operation: string,
  method: string,
  path: string,
  statuses: readonly number[],
  reply: string,
  body?: string,
]

export type WireTable = Readonly<Record<string, Readonly<Record<string, WireEndpoint>>>>

export function wireOf({ operation, method, path, reply, body }: Endpoint): WireEndpoint {
  const asked = [operation, method, path, reply.statuses, reply.type] as const
  return body ? [...asked, body.type] : asked
}

type Unchecked = { safeParse(value: unknown): { success: boolean; data?: unknown; error?: unknown } }

/** Whatever the server says is taken: it is of our own making, and the shape of what is shown is looked at when shown. */
const anything: Unchecked = { safeParse: (value) => ({ success: true, data: value }) }

/** A part of a path that would lead to another place is refused here too; whether it is a name, the server says. */
const parts: Unchecked = {
  safeParse(value) {
    const bad = Object.entries(value as Record<string, unknown>).find(([, part]) => !isPart(part))
    if (!bad) return { success: true, data: value }
    return { success: false, error: { issues: [{ path: [bad[0]], message: 'must be a name' }] } }
  },
}

function isPart(part: unknown): boolean {
  return typeof part === 'string' && part !== '' && part !== '.' && part !== '..'
}

/** As the client takes it. */
export function endpointOver([operation, method, path, statuses, type, body]: WireEndpoint): unknown {
  return {
    operation,
    method,
    path,
    params: parts,
    reply: { statuses, type, schema: anything },
    stream: { schema: anything },
    upgrade: { server: anything },
    ...(body !== undefined && { body: { type: body } }),
  }
}
