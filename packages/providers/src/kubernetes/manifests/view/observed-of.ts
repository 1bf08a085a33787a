/** Pure: from the record of a set and its objects to what is shown of it: one replica, whose services are the objects. */
import type { Endpoint, Observed, Replica, ServiceObserved, Stall } from '../../../observed.ts'
import { apiVersionOf } from '../../api/resources.ts'
import type { KubeObject } from '../../api/types/meta.ts'
import { isClaim } from '../health/claims.ts'
import type { RoomOf } from '../health/pods.ts'
import { isWell } from '../health/verdict.ts'
import { kindKey, makesPods } from '../kinds.ts'
import { type Entry, entryId, type SetRecord, shownNames } from '../record/record.ts'
import { serviceEndpoints } from './endpoints.ts'
import { type ServiceView, serviceView } from './service-view.ts'

/** An object, and the hash of the fields that are ours in it. */
export type Seen = { readonly object: KubeObject; readonly owned: string | undefined }

export type SetView = {
  readonly record: SetRecord
  readonly engineId: string
  readonly find: (entry: Entry) => Seen | 'unknown' | undefined
  /** Pods of a namespace, and events of those that could not be made. */
  readonly podsIn: (namespace: string) => readonly KubeObject[]
  /** Asked for where there are claims. */
  readonly classes: () => readonly KubeObject[]
  readonly roomOf: RoomOf
  readonly via: Endpoint['via']
  readonly now: Date
}

export type SetTimes = {
  /** Of the whole, given what its parts say. */
  readonly readySince: (ready: boolean, own: readonly (Date | undefined)[]) => Date | undefined
  readonly stalledSince: (stall: Pick<Stall, 'reason' | 'message'> | undefined) => Date
}

type Shown = ServiceView & {
  readonly entry: Entry
  readonly name: string
  readonly found: Seen | 'unknown' | undefined
}

export function observedOf(view: SetView, trouble: Stall | undefined, times: SetTimes): Observed {
  const { record, now, via } = view
  const shown = shownOf(view)
  const first = shown.find(({ stall }) => stall)
  const stall = first?.stall && { reason: first.stall.reason, message: `${first.name}: ${first.stall.message}` }
  const at = times.stalledSince(stall)
  const stalled = trouble ?? (stall && { ...stall, at, service: first?.name ?? '', replica: 0 })
  const endpoints = shown.flatMap(({ entry, name, found }) =>
    typeof found === 'object' && isService(entry) ? serviceEndpoints(found.object, name, via) : [],
  )
  const runs = record.run === 'running'
  const replicas = runs || shown.some(({ pods }) => pods > 0) ? [replicaOf(view, shown, times)] : []
  return {
    ref: record.ref,
    replicas,
    endpoints: runs ? endpoints : [],
    ...(stalled ? { stalled } : {}),
    drift: shown.filter(hasDrifted).map(({ name }) => name),
    notEnforced: [],
    at: now,
  }
}

function shownOf({ record, find, podsIn, classes, roomOf, now }: SetView): Shown[] {
  const entries = record.entries.filter(({ leaving }) => !leaving)
  const names = shownNames(entries, record.namespace)
  return entries.map((entry) => {
    const found = find(entry)
    const kind = [apiVersionOf(entry.resource), entry.resource.kind] as const
    const beside = makesPods(...kind) ? podsIn(entry.namespace ?? '') : isClaim(...kind) ? classes() : []
    const service = serviceView(entry, typeof found === 'object' ? found.object : found, beside, now, roomOf)
    return { ...service, entry, name: names.get(entryId(entry)) ?? entry.name, found }
  })
}

function replicaOf({ record, engineId }: SetView, shown: readonly Shown[], times: SetTimes): Replica {
  const isReady = record.applied && record.run === 'running' && shown.every(({ health }) => isWell(health))
  const isUnknown =
    shown.some(({ seen }) => seen.ready === undefined) && !shown.some(({ seen }) => seen.ready === false)
  const readySince = times.readySince(
    isReady,
    shown.map(({ health }) => health.since),
  )
  return {
    engineId,
    index: 0,
    release: record.release,
    specHash: record.specHash,
    ready: isUnknown ? undefined : isReady,
    ...(readySince ? { readySince } : {}),
    terminating: record.run === 'stopped',
    ...(shown.some(({ health }) => health.state === 'failed') ? { failed: 'again' as const } : {}),
    services: servicesOf(shown),
    endpoints: [],
  }
}

/** The first that runs is what the workload is about; a set of Jobs alone is about the first of them. */
function servicesOf(shown: readonly Shown[]): Record<string, ServiceObserved> {
  const runs = ({ seen, entry }: Shown): boolean =>
    seen.role !== 'init' && makesPods(apiVersionOf(entry.resource), entry.resource.kind)
  const main = shown.find(runs) ?? shown.find(({ seen }) => seen.role !== 'init') ?? shown[0]
  return Object.fromEntries(
    shown.map((each) => {
      const { seen, name } = each
      if (each !== main) return [name, seen]
      // What is main cannot be over: the whole would be stopped.
      const phase = seen.phase === 'completed' ? 'running' : seen.phase
      const message = seen.phase === 'completed' ? { message: 'completed' } : {}
      return [name, { ...seen, role: 'main' as const, phase, ...message }]
    }),
  )
}

/** Gone, or somebody else has changed or removed fields of ours. */
function hasDrifted({ entry, found }: Shown): boolean {
  if (found === 'unknown' || entry.applied === undefined) return false
  return !found || found.owned !== entry.owned
}

const isService = ({ resource }: Entry): boolean => kindKey(apiVersionOf(resource), resource.kind) === 'Service'
