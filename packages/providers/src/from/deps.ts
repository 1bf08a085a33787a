/** What `providerFrom` needs beside an engine. Time and ids are parameters, so that a test can own them. */
import type { Clock } from '@gantry/core'
import type { Engine } from '../engine.ts'
import type { Location } from '../provider.ts'
import type { InstanceRecords } from '../records.ts'
import type { SecretSource } from '../secret-source.ts'

export type ProviderDeps = {
  /** What it is registered as, which may differ from what kind of engine it is. */
  readonly name: string
  /** The mark on everything we make. */
  readonly installation: string
  readonly records: InstanceRecords
  readonly secrets: SecretSource
  readonly clock?: Clock
  readonly ids?: () => string
  /** For a single question to the engine; 15 s unless told otherwise. */
  readonly answerMs?: number
  readonly region?: string
  readonly location?: Location
}

/** What the parts of a provider share. */
export type Room = Required<Pick<ProviderDeps, 'name' | 'installation' | 'records' | 'secrets' | 'clock' | 'ids'>> & {
  readonly engine: Engine
}
