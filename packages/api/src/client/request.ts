/** Pure: an endpoint and what a caller gives for it, to what goes over the wire. */
import { Fault } from '@gantry/core'
import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { etagOf } from '../preconditions.ts'

/** What a caller gives for an endpoint. */
export type RequestFor<E extends Endpoint> = {
  readonly params: z.input<E['params']>
  /** As values; they become texts on the way. */
  readonly query?: { readonly [Key in keyof z.output<E['query']>]?: z.output<E['query']>[Key] | undefined }
  /** Only over this generation. */
  readonly ifGeneration?: number | undefined
  /** Only if there is none. */
  readonly ifAbsent?: boolean | undefined
} & (E extends { readonly body: { readonly schema: infer Schema extends z.ZodType } }
  ? { readonly body: z.input<Schema> }
  : { readonly body?: undefined })

export type ReplyOf<E extends Endpoint> = z.output<E['reply']['schema']>

export type WireRequest = {
  readonly method: string
  /** Path and query, to be put behind the server's address. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The same without its types: what those of callers come to. */
export type Given = {
  readonly params: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly ifGeneration?: number | undefined
  readonly ifAbsent?: boolean | undefined
}

export function wireRequest(endpoint: Endpoint, given: Given): WireRequest {
  const { body } = endpoint
  return {
    method: endpoint.method,
    target: pathOf(endpoint, given.params) + queryOf(given.query),
    headers: {
      accept: endpoint.reply.type,
      ...(body && { 'content-type': body.type }),
      ...(given.ifGeneration !== undefined && { 'if-match': etagOf(given.ifGeneration) }),
      ...(given.ifAbsent && { 'if-none-match': '*' }),
    },
    ...(body && { body: JSON.stringify(given.body) }),
  }
}

/** A part that is no name would lead to another place, so it is refused before anything is sent. */
function pathOf({ path, params, operation }: Endpoint, given: unknown): string {
  const parsed = params.safeParse(given)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
    const [first] = issues
    throw new Fault('bad_name', `${operation} cannot be asked for: ${first?.path} ${first?.message}`, { issues })
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(parsed.data[part])))
}

function queryOf(query: unknown): string {
  const given = Object.entries((query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
