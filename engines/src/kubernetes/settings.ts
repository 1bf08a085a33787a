/** What a private cluster can be asked to be like. */
import { Fault } from '@gantry/core'
import type { Settings } from '../engine.ts'

export type ClusterSettings = {
  /** `splitLogs: on | off`, on if left out: whether the API can tell the two streams of a log apart, which few clusters do yet. */
  readonly splitLogs: boolean
}

export function settingsFrom({ splitLogs = 'on', ...others }: Settings): ClusterSettings {
  if (Object.keys(others).length === 0 && ['on', 'off'].includes(splitLogs)) return { splitLogs: splitLogs === 'on' }
  const given = JSON.stringify({ splitLogs, ...others })
  throw new Fault('engine_refused', `Kubernetes takes splitLogs on or off, and was given ${given}`)
}

/** By the names that the parts have for them. */
export function featureGates({ splitLogs }: ClusterSettings): Readonly<Record<string, boolean>> {
  return { PodLogsQuerySplitStreams: splitLogs }
}
