/** What workloads used during the last day. */
import type { UsageReply } from '@gantry/api'
import type { Call } from '@gantry/core'
import type { Usage } from '@gantry/providers'

export type SampledWorkload = { readonly tenant: string; readonly uid: string }

/** Of a workload as a whole; what is not known is left out. */
export type Sample = Omit<Usage, 'cpuPercent' | 'replicas'>

export interface SampleStore {
  /** Keeps a sample; one that was kept a day before gives way to it. */
  keep(of: SampledWorkload, sample: Sample): Promise<void>
  /** Those since then, oldest first. Nothing kept is an empty list. */
  read(of: SampledWorkload, since: number, call: Call): Promise<UsageReply>
  /** Forgets workloads of which nothing was kept for a day. */
  sweep(call: Call): Promise<void>
}
