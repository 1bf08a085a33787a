/** Who did what, when, from where and with what outcome. */
import type { ObjectKey } from '@gantry/core'
import type { Did } from '../command.ts'

export type AuditOutcome = 'done' | 'refused' | 'failed'

/** What the one who asks to record knows. */
export type AuditDraft = {
  readonly actor: string
  readonly action: string
  readonly outcome: AuditOutcome
  readonly tenant?: string
  readonly target?: ObjectKey
  /** Where the request came from: an address, or the name of a controller. */
  readonly from?: string
  readonly requestId?: string
  /** Anything else that belongs to it, such as a diff with secrets redacted. */
  readonly detail?: unknown
}

/** What one command of the recorded batch did, filled in by the store. */
export type AuditEffect = { readonly key: ObjectKey; readonly uid: string; readonly did: Did; readonly version: number }

export type AuditEntry = AuditDraft & {
  /** Counts from 1, without holes. */
  readonly sequence: number
  readonly at: string
  readonly effects: readonly AuditEffect[]
  /** Covers this entry and the hash before it, so that none can be changed or taken out unnoticed. */
  readonly hash: string
}

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly continue?: string }

export type AuditVerdict =
  | { readonly intact: true; readonly entries: number; readonly head: string }
  | { readonly intact: false; readonly sequence: number; readonly why: string }
