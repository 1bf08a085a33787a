/**
 * An endpoint as data. Routes, OpenAPI, client, and the test that walks every endpoint and role are made from it, so what
 * is not said here does not exist. Who may call it is part of the type: an endpoint without a permission does not compile.
 */
import type { FaultKind } from '@gantry/core'
import type { z } from 'zod'
import type { Permission, Verb } from './permissions.ts'

export type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'

/** Where a permission is asked for, and which. */
export type Access =
  /** In the tenant of the path, which then begins with `/v1/tenants/{tenant}/`; or in the installation as a whole. */
  | { readonly scope: 'tenant' | 'system'; readonly permission: Permission }
  /** For each object of the body by itself: `<kind>:<verb>` in its tenant. The handler has to ask. */
  | { readonly scope: 'objects'; readonly permission: 'per_object'; readonly verb: Verb }
  /** Anybody who is somebody. */
  | { readonly scope: 'none'; readonly permission: 'signed_in' }
  /** Anybody at all; each of these is in a list that only shrinks, in `endpoints/table.test.ts`. */
  | { readonly scope: 'none'; readonly permission: 'public' }

export type MediaType = 'application/json' | 'application/merge-patch+json'

export type Body = { readonly type: MediaType; readonly schema: z.ZodType }

export type Reply = {
  /** The first is the usual one. */
  readonly statuses: readonly (101 | 200 | 201 | 202 | 503)[]
  readonly type: 'application/json' | 'text/plain' | 'application/gzip' | 'application/x-ndjson'
  readonly schema: z.ZodType
}

/** What both sides say in text frames, as JSON. Binary frames are bytes, behind one that says of which stream. */
export type Upgrade = { readonly client: z.ZodType; readonly server: z.ZodType }

/** What a caller can make a write depend on. */
export type Precondition =
  /** `If-Match: "<generation>"`: only over the spec that was read. */
  | 'if_match'
  /** `If-None-Match: *`: only if there is none. */
  | 'if_none_match'

export type EndpointDefinition = Access & {
  /** `<thing>.<verb>`, unique: the operationId, the action in audit, the label in metrics. */
  readonly operation: `${string}.${string}`
  /** One sentence for the docs. */
  readonly summary: string
  readonly method: Method
  /** As OpenAPI writes it; every `{part}` is a field of `params`. */
  readonly path: `/${string}`
  readonly params: z.ZodObject
  /** Over texts, as a query string has nothing else. */
  readonly query: z.ZodObject
  readonly preconditions?: readonly Precondition[]
  readonly body?: Body
  readonly reply: Reply
  /** With `?watch=true` the answer is a stream of Server-Sent Events instead, each with this as its data. */
  readonly stream?: { readonly schema: z.ZodType }
  /** The answer has no end of its own: a line of JSON for each value, or Server-Sent Events where Accept prefers those. */
  readonly lines?: true
  /** The connection becomes a WebSocket. What is asked for is in its first frame, so that no URL tells of it. */
  readonly upgrade?: Upgrade
  /** Beside those that any endpoint may answer with, see `faultsOf`. */
  readonly faults: readonly FaultKind[]
}

export type Endpoint = EndpointDefinition

/** Keeps every type as narrow as it was written. */
export function endpoint<const Definition extends EndpointDefinition>(definition: Definition): Definition {
  return definition
}
