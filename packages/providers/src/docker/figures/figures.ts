/** What containers use, and what their engine has. */
import type { Call, Clock } from '@gantry/core'
import type { Capacity, Usage } from '../../usage.ts'
import type { DockerApi } from '../api/api.ts'

/** A container to measure, with what is known of it already. */
export type Measured = {
  readonly id: string
  /** The engine id of the replica that it is a part of. */
  readonly replica: string
  /** By the engine's clock: the first figure of cpu is the average since then. */
  readonly startedAt?: Date
  readonly cpuLimitMillis?: number
  readonly memoryLimitBytes?: number
  /** Names of those that it has; what is in memory takes no disk. Left out: none. */
  readonly volumes?: readonly string[]
  /** Holds the network of its replica and does nothing: no limit is expected of it. */
  readonly holder?: boolean
}

/** Remembers the last figures of each container, since a rate needs two. */
export interface UsageMeter {
  /** Summed over those that run; `undefined` where none does. A figure that one of them lacks is left out of the sum. */
  usageOf(containers: readonly Measured[], call: Call): Promise<Usage | undefined>
}

export type MakeUsageMeter = (api: DockerApi, clock: Clock) => UsageMeter

/** All that the engine's machine has; what of it is free, Docker does not say. */
export type CapacityOf = (api: DockerApi, clock: Clock, call: Call) => Promise<Capacity>
