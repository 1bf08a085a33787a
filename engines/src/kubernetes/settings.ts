/** What a private cluster can be asked to be like. */
import { Fault } from '@gantry/core'
import type { Settings } from '../engine.ts'

export type ClusterSettings = {
  /** `splitLogs: on | off`, on if left out: whether the API can tell the two streams of a log apart, which few clusters do yet. */
  readonly splitLogs: boolean
  /** `nodeGraceSeconds`, 40 if left out: how long a node may be silent. Who ends a kubelet says less; a busy machine keeps its node. */
  readonly nodeGraceSeconds: number
  /** `metrics: on | off`, on if left out: who starts clusters and their API often, and asks for no figures, spares the server of them. */
  readonly metrics: boolean
}

const isSwitch = (text: string): boolean => ['on', 'off'].includes(text)

export function settingsFrom(settings: Settings): ClusterSettings {
  const { splitLogs = 'on', nodeGraceSeconds = '40', metrics = 'on', ...others } = settings
  const isKnown = isSwitch(splitLogs) && isSwitch(metrics) && /^[1-9]\d*$/.test(nodeGraceSeconds)
  if (isKnown && Object.keys(others).length === 0) {
    return { splitLogs: splitLogs === 'on', nodeGraceSeconds: Number(nodeGraceSeconds), metrics: metrics === 'on' }
  }
  const given = JSON.stringify(settings)
  const message = `Kubernetes takes splitLogs on or off, metrics on or off, and nodeGraceSeconds, and was given ${given}`
  throw new Fault('engine_refused', message)
}

/** By the names that the parts have for them. */
export function featureGates({ splitLogs }: ClusterSettings): Readonly<Record<string, boolean>> {
  return { PodLogsQuerySplitStreams: splitLogs }
}
