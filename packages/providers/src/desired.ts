/** What one instance shall be: everything an engine needs to know, with nothing left to look up. */
import type { Exposure, RestartSpec, Secret, ServiceSpec, StrategySpec, WorkloadSpec, WorkloadType } from '@gantry/core'
import type { Ref } from './ref.ts'
import type { DesiredSource } from './source.ts'

/** A secret by version, so that a release can be brought back as it was. */
export type ResolvedSecret = {
  readonly name: string
  readonly key: string
  readonly version: number
  readonly value: Secret
  readonly env?: string
  readonly file?: string
}

export type PullCredentials = { readonly version: number; readonly username: Secret; readonly password: Secret }

/** An image that somebody asks for, and how it may be had. */
export type WantedImage = {
  readonly image: string
  readonly policy: ServiceSpec['imagePullPolicy']
  readonly credentials?: PullCredentials
}

/** A service as an engine gets it: references to the vault are values now. */
export type DesiredService = Omit<ServiceSpec, 'secrets' | 'imagePullSecret'> & {
  readonly secrets: readonly ResolvedSecret[]
  readonly imagePullSecret?: PullCredentials
  /** What `image` meant when the release was made: to be run instead of whatever the tag means now. */
  readonly pinnedImage?: string
}

/** How replicas give way to others within the slot. */
export type InPlaceUpdate =
  | {
      readonly type: 'rolling'
      readonly maxSurge: number
      readonly maxUnavailable: number
      readonly minReadySeconds: number
    }
  | { readonly type: 'recreate'; readonly minReadySeconds: number }

export type Desired = {
  readonly ref: Ref
  /** Whose objects these are; another installation's are never touched. */
  readonly installation: string
  readonly labels: Readonly<Record<string, string>>
  readonly type: WorkloadType
  readonly run: 'running' | 'stopped'
  /** Kept while stopped, so that a start knows. */
  readonly replicas: number
  readonly release: string
  /**
   * Of all that a replica is made of; a replica with another hash is to be replaced. How many there are, how they are
   * restarted, stopped, replaced and exposed is not in it: that changes in place.
   */
  readonly specHash: string
  readonly services: readonly DesiredService[]
  /** Instead of services, where the engine declares `source:…`; left out: services. */
  readonly source?: DesiredSource
  readonly restart: RestartSpec
  readonly update: InPlaceUpdate
  readonly stopGraceSeconds: number
  readonly expose: Exposure
  readonly engine: WorkloadSpec['engine']
}

/** Blue-green and canary fill a whole slot; what changes inside it meanwhile, changes one by one. */
export function inPlaceUpdate(strategy: StrategySpec, type: WorkloadType): InPlaceUpdate {
  const { minReadySeconds } = strategy
  if (strategy.type === 'recreate') return { type: 'recreate', minReadySeconds }
  if (strategy.type === 'rolling') {
    return { type: 'rolling', maxSurge: strategy.maxSurge, maxUnavailable: strategy.maxUnavailable, minReadySeconds }
  }
  const alone = type === 'stateful_set'
  return { type: 'rolling', maxSurge: alone ? 0 : 1, maxUnavailable: alone ? 1 : 0, minReadySeconds }
}
