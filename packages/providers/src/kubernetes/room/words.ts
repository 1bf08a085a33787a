/** Pure: what autoscalers say of pods that have found no node, in events of the pods. */
import type { EventObject } from '../observe/objects.ts'

/** By whom such events are: a list of them is asked for by this name. Each is the name that its own recorder has. */
export const autoscalers = ['cluster-autoscaler', 'karpenter'] as const

/** `coming`: somebody makes room for this pod. Otherwise whoever could have says that it cannot. */
export type RoomWord = { readonly coming: boolean; readonly message: string }

const coming: ReadonlySet<string> = new Set(['TriggeredScaleUp', 'Nominated'])
/** Karpenter uses the scheduler's word; a node that was asked for and does not come is GKE's. */
const inVain: ReadonlySet<string> = new Set(['NotTriggerScaleUp', 'FailedScaleUp', 'FailedScheduling'])

/**
 * The last word of each that says something counts, and one that makes room is enough: where two look after a cluster, each
 * knows only of its own nodes. By uid of the pod.
 */
export function roomWords(events: readonly EventObject[]): ReadonlyMap<string, RoomWord> {
  const last = new Map<string, EventObject>()
  for (const event of events) {
    const { involvedObject, reason = '', message } = event
    if (!involvedObject?.uid || !message || !(coming.has(reason) || inVain.has(reason))) continue
    const key = `${involvedObject.uid} ${speakerOf(event)}`
    const before = last.get(key)
    if (!before || timeOf(event) >= timeOf(before)) last.set(key, event)
  }
  const words = new Map<string, RoomWord>()
  for (const { involvedObject, reason = '', message = '' } of last.values()) {
    const uid = involvedObject?.uid ?? ''
    if (!words.get(uid)?.coming) words.set(uid, { coming: coming.has(reason), message: message.trim() })
  }
  return words
}

const speakerOf = ({ source, reportingComponent }: EventObject): string => source?.component || reportingComponent || ''

/** One that is said again is as young as the last time. */
const timeOf = ({ series, lastTimestamp, eventTime, firstTimestamp, metadata }: EventObject): number =>
  Date.parse(
    series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? firstTimestamp ?? metadata.creationTimestamp ?? '',
  ) || 0
