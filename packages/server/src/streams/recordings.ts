/** What is kept of workloads while they run, and read when somebody asks: their lines and their figures. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '@gantry/core'
import type { Log } from '../app/log.ts'
import type { EngineHub } from '../engines/engine-hub.ts'
import { LogCollector } from '../logs/collect/collector.ts'
import type { SecretsOf } from '../logs/collect/masks.ts'
import { FileLogStore } from '../logs/file-log-store.ts'
import { type LogLimits, logLimits } from '../logs/limits.ts'
import type { LogStore } from '../logs/log-store.ts'
import { ringFiles } from '../telemetry/samples/ring-files.ts'
import type { SampleStore } from '../telemetry/samples/sample-store.ts'
import { Sampler } from '../telemetry/samples/sampler.ts'

export type RecordingsOptions = {
  /** Left out: a folder of its own, which goes when it stops. */
  readonly data: string | undefined
  readonly hub: EngineHub
  readonly secretsOf: SecretsOf
  readonly clock: Clock
  readonly log: Log
  readonly limits?: Partial<LogLimits>
}

export type Recordings = {
  readonly logs: LogStore
  readonly samples: SampleStore
  readonly sampler: Sampler
  /** Asked before a replica goes. */
  readonly collector: LogCollector
  /** Writes what was read. Twice is harmless. */
  stop(): Promise<void>
}

/** Begins to collect: to be called before the first engine is opened. */
export async function openRecordings({
  data,
  hub,
  secretsOf,
  clock,
  log,
  ...more
}: RecordingsOptions): Promise<Recordings> {
  const own = data === undefined ? await mkdtemp(join(tmpdir(), 'gantry-data-')) : undefined
  const folder = data ?? own ?? ''
  const limits = { ...logLimits, ...more.limits }
  const logs = new FileLogStore({ folder: join(folder, 'logs'), clock, limits })
  const samples = ringFiles({ folder: join(folder, 'samples'), clock })
  const collector = new LogCollector({ hub, store: logs, secretsOf, clock, log, limits })
  const sampler = new Sampler({ hub, samples, clock, log })
  collector.start()
  sampler.start()
  return {
    logs,
    samples,
    sampler,
    collector,
    async stop() {
      await Promise.all([collector.stop(), sampler.stop()])
      if (own !== undefined) await rm(own, { recursive: true, force: true })
    },
  }
}
