/** Where values are kept that must not be read: sealed in the store, opened only on the way to a provider. */
import type { Call, ObjectKey, ObjectOf, OwnerRef, Secret, SecretVersion } from '@gantry/core'
import type { Command } from '@gantry/store'

/** Values by the names of their keys. */
export type Values = ReadonlyMap<string, Secret>

/** What is different in the next version of a secret. */
export type ValueChange = { readonly set: Values; readonly remove: readonly string[] }

export type NewVersion = {
  readonly version: number
  /** To be written in one batch with whatever else belongs to it. Until then nothing has happened. */
  readonly commands: readonly Command[]
}

export type Wanted = {
  readonly tenant: string
  readonly name: string
  readonly key: string
  /** Left out: the newest. */
  readonly version?: number
}

export type Resolved = { readonly version: number; readonly value: Secret }

/** What a workload (or whoever else) keeps here under a name: files, mostly. */
export type Owner = {
  readonly tenant: string
  readonly owner: string
  /** The object that it is: its contents go when it does. */
  readonly ref?: OwnerRef
}

export type SealedContents = {
  /** By name: what stands for the content. In one tenant the same content of the same name has the same one for good. */
  readonly references: ReadonlyMap<string, string>
  /** To be written in one batch with what refers to them. None for what is sealed already. */
  readonly commands: readonly Command[]
  /** Those that are sealed already, and must still be there when what refers to them is written. */
  readonly requires: readonly ObjectKey[]
}

export type Rotated = { readonly resealed: number; readonly keyId: string }

/** Values are sealed before they reach the store, and bound to where they lie: a row that was moved does not open. */
export interface Vault {
  /**
   * The values as the next version of a secret as it was read; `version_conflict` when written if somebody was faster. A
   * number is never given twice, not even after the secret was deleted and made anew. Refuses data without a key that
   * the secret must have. `by`: who writes it, to be shown with it.
   */
  put(secret: ObjectOf<'Secret'>, values: Values, call: Call & { readonly by?: string }): Promise<NewVersion>

  /** The same of the values of the newest version with this change: what it does not name is taken over, and leaves nothing. */
  merge(secret: ObjectOf<'Secret'>, change: ValueChange, call: Call & { readonly by?: string }): Promise<NewVersion>

  /** What there is, newest first: names and fingerprints only. No such secret: none. */
  list(secret: { readonly tenant: string; readonly name: string }, call: Call): Promise<readonly SecretVersion[]>

  /** The value, or `secret_not_found`. `sealed_value_damaged` or `master_key_unknown` if it is there and cannot be opened. */
  resolve(wanted: Wanted, call: Call): Promise<Resolved>

  /** Forgets versions that no release names any more; the newest cannot go. With the secret all of its versions go. */
  remove(secret: ObjectOf<'Secret'>, versions: readonly number[], call: Call): Promise<readonly Command[]>

  /** Also for an owner that is not there yet: what a plan shows is what an apply will come to. */
  sealContents(owner: Owner, contents: Values, call: Call): Promise<SealedContents>

  /** What a reference stands for, or `secret_not_found`. */
  openContent(owner: Owner, name: string, reference: string, call: Call): Promise<Secret>

  /** What forgets all contents of an owner but those that are still referred to. */
  removeContents(owner: Owner, except: ReadonlySet<string>, call: Call): Promise<readonly Command[]>

  /**
   * Seals every data key with the newest master key; values are not touched. May be interrupted and run again. When it
   * resolves, the master keys before are needed no more, except for backups that are older.
   */
  rotate(call: Call): Promise<Rotated>
}
