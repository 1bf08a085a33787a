/** What a provider must remember beyond its engine: what was asked for last, and the releases that can be brought back. */
import type { Call, WorkloadSpec } from '@gantry/core'
import type { Ref } from './ref.ts'
import type { Release } from './release.ts'

/** What is wanted of an instance beside the content of its release. Replicas are kept while it is stopped. */
export type Wishes = Readonly<Omit<WorkloadSpec, 'provider' | 'services' | 'source' | 'dependsOn'>>

export type InstanceRecord = Wishes & {
  readonly ref: Ref
  readonly labels: Readonly<Record<string, string>>
  /** The id of the release that is wanted. */
  readonly release: string
  /** The id of the last release that was seen whole and ready: what a failed deploy falls back to. */
  readonly settled?: string
  /** How many releases were ever made. */
  readonly releases: number
  /** A removal has begun, and is to be finished whatever happens in between. */
  readonly removing: boolean
  /** Counts the writes, so that of two writers the later one is told. 0: not written yet. */
  readonly version: number
}

/**
 * Everything is written here before an engine is touched: after a crash the record says what to converge to. What a
 * save acknowledged is there after a crash.
 */
export interface InstanceRecords {
  find(ref: Ref, call: Call): Promise<InstanceRecord | undefined>
  /**
   * Writes over exactly the version that was read, else `version_conflict`; answers with the new version. A release that
   * comes along is kept in the same step or not at all; one that is there already never changes.
   */
  save(record: InstanceRecord, release: Release | undefined, call: Call): Promise<InstanceRecord>
  /** Forgets an instance and its releases; absent is success. */
  forget(ref: Ref, call: Call): Promise<void>
  list(call: Call): Promise<readonly InstanceRecord[]>
  /** Of whatever instance, so that a foreign one can be told from one that never was. */
  release(id: string, call: Call): Promise<Release | undefined>
  /** Oldest first. */
  releasesOf(ref: Ref, call: Call): Promise<readonly Release[]>
}
