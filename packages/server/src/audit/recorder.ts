/** Entries of audit for requests: in the same transaction where something changes, by themselves where it was refused. */
import type { Endpoint, Identity } from '@gantry/api'
import { type Call, type Fault, isFault } from '@gantry/core'
import type { AuditDraft, Store, SystemScope } from '@gantry/store'
import { outcomeOf } from '../app/problem.ts'
import type { Recording } from '../app/request.ts'

export type Asked = {
  readonly endpoint: Endpoint
  readonly identity: Identity
  readonly params: unknown
  readonly from: string
  readonly requestId: string
}

/** Whether it is there to change something, whether or not it did. */
export function isMutating(endpoint: Endpoint): boolean {
  // What runs inside a workload can change it, whatever HTTP calls the way there.
  if (endpoint.upgrade) return true
  return endpoint.method !== 'GET' && !(endpoint.scope === 'objects' && endpoint.verb === 'read')
}

export class RequestRecorder implements Recording {
  readonly #asked: Asked
  #taken = false

  constructor(asked: Asked) {
    this.#asked = asked
  }

  /** Somebody has taken the entry, and writes it. */
  get isTaken(): boolean {
    return this.#taken
  }

  draft(more: Pick<AuditDraft, 'detail' | 'target'> = {}): AuditDraft {
    this.#taken = true
    return { ...this.#base('done'), ...more }
  }

  /** After it went well: a handler that wrote nothing has still been asked to. */
  async finish(store: Store, scope: SystemScope, call: Call): Promise<void> {
    if (!this.#taken) await store.write(scope, [], { audit: this.#base('done') }, call)
  }

  async refused(fault: Fault, store: Store, scope: SystemScope, call: Call): Promise<void> {
    const { kind, reason, message } = fault
    const audit = { ...this.#base(outcomeOf(kind)), detail: { kind, reason, message } }
    await store.write(scope, [], { audit }, call)
  }

  #base(outcome: AuditDraft['outcome']): AuditDraft {
    const { endpoint, identity, params, from, requestId } = this.#asked
    const { tenant } = params as { tenant?: string }
    const base = { actor: identity.name, action: endpoint.operation, outcome, from, requestId }
    // Of a tenant that the caller has no role in, nothing is written into that tenant's own record.
    const isTheirs = identity.grants.some((grant) => grant.role === 'system' || grant.tenant === tenant)
    return tenant !== undefined && isTheirs ? { ...base, tenant } : base
  }
}

/** A fault that is nobody's refusal, but the loss of what would have recorded it. */
export function cannotRecord(error: unknown): boolean {
  return isFault(error, 'unavailable')
}
