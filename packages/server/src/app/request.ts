/** What a handler is given and what it gives back, both told by the endpoint it implements. */
import type { Readable } from 'node:stream'
import type { Endpoint, Identity, Verb } from '@gantry/api'
import type { WrittenKindName } from '@gantry/core'
import type { AuditDraft, Scope, SystemScope, TenantScope } from '@gantry/store'
import type { z } from 'zod'
import type { SessionSocket } from '../streams/session-socket.ts'

/** Asks for each object by itself, where the body says which there are; throws if it is not allowed. */
export type ObjectAccess = {
  admit(kind: WrittenKindName, tenant: string | undefined, verb: Verb): void
  /** For all of it at once: the one tenant that it is about, or the installation, which only `system` may write to. */
  scopeOf(tenants: ReadonlySet<string | undefined>): Scope
}

/** Made by the authorizer alone. Who is let into a tenant sees that tenant, `system` included. */
export type AccessOf<E extends Endpoint> = AccessIn<E['scope']>

/** Each scope by itself: an endpoint that may be of two gives its handler either. */
type AccessIn<Where extends Endpoint['scope']> = Where extends 'tenant'
  ? TenantScope
  : Where extends 'system'
    ? SystemScope
    : Where extends 'objects'
      ? ObjectAccess
      : undefined

/** `undefined`: an entry of audit was not taken yet; the pipeline then writes one itself. */
export type Recording = {
  /** The entry that goes into the same transaction as the change. */
  draft(more?: Pick<AuditDraft, 'detail' | 'target'>): AuditDraft
}

export type Conditions = {
  readonly ifMatch: number | undefined
  readonly ifNoneMatch: boolean
}

export type RequestOf<E extends Endpoint> = {
  readonly params: z.output<E['params']>
  readonly query: z.output<E['query']>
  readonly body: E extends { body: { schema: infer Schema extends z.ZodType } } ? z.input<Schema> : undefined
  readonly access: AccessOf<E>
  readonly identity: E extends { permission: 'public' } ? undefined : Identity
  readonly conditions: Conditions
  /** Where a watch was interrupted. */
  readonly lastEventId: number | undefined
  readonly recording: Recording
  readonly requestId: string
  readonly signal: AbortSignal
}

export type Answer<E extends Endpoint> = {
  /** Left out: the first of the endpoint's. */
  readonly status?: E['reply']['statuses'][number]
  readonly headers?: Readonly<Record<string, string>>
} & (
  | { readonly body: z.output<E['reply']['schema']> }
  /** The body as it goes out, by those who have it in that form already. */
  | { readonly text: string }
  /** A file that is made while it goes out. */
  | { readonly bytes: Readable }
)

/** Changes as they come, each one event of the stream with the version to resume from. */
export type StreamEvent = { readonly id: string; readonly event: string; readonly data: string }

export type StreamAnswer = { readonly stream: AsyncIterable<StreamEvent> }

/** Values as they come, for as long as there are any. */
export type LinesAnswer<E extends Endpoint> = { readonly lines: AsyncIterable<z.input<E['reply']['schema']>> }

/** What goes on once the connection is a WebSocket. Ends the socket with the fault that it throws, if it does. */
export type UpgradeAnswer = { readonly session: (socket: SessionSocket) => Promise<void> }

export type ReplyOf<E extends Endpoint> = E extends { upgrade: object }
  ? UpgradeAnswer
  : E extends { lines: true }
    ? LinesAnswer<E>
    : Answer<E> | (E extends { stream: object } ? StreamAnswer : never)
