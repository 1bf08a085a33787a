/** What is known of a release, as what was observed of its instance. Pure. */
import type { Observed, Replica, ServiceObserved, ServicePhase, Stall } from '../../../observed.ts'
import type { HelmStatus } from '../helm.ts'
import { recordNameOf } from '../record.ts'
import { descriptionOf, type KnownRevision, madeOf } from '../release/revisions.ts'
import type { RecordPlace, Stored } from '../store.ts'
import type { SeenServices } from './services.ts'

export const engineIdPrefix = 'helm:'

/** What has drifted where somebody else has made the newest revision. */
export const sourcePath = 'spec.source.helm'

/** Where our record is, with its uid, which is never used again. */
export const engineIdOf = ({ ref, namespace, uid }: Pick<Stored, 'ref' | 'namespace' | 'uid'>): string =>
  `${engineIdPrefix}${namespace}/${recordNameOf(ref)}/${uid}`

export function placeIn(engineId: string): RecordPlace | undefined {
  const [namespace, name, uid] = engineId.slice(engineIdPrefix.length).split('/')
  return engineId.startsWith(engineIdPrefix) && namespace && name && uid ? { namespace, name, uid } : undefined
}

export function observedOf(
  stored: Stored,
  history: readonly KnownRevision[],
  seen: SeenServices,
  /** Since when this stall is seen; told once for each. */
  stallAt: (message: string) => Date,
  at: Date,
): Observed {
  const { ref } = stored
  const top = history.at(-1)
  const stalled = stallOf(stored, history, seen, stallAt)
  return {
    ref,
    replicas: top ? [replicaOf(stored, history, top, seen)] : [],
    endpoints: top ? seen.endpoints : [],
    ...(stalled && { stalled }),
    drift: [
      ...(top && isForeign(top, stored) ? [sourcePath] : []),
      ...(top?.status === 'deployed' ? [...seen.lost, ...seen.changed] : []),
    ],
    notEnforced: [],
    at,
  }
}

function replicaOf(
  stored: Stored,
  history: readonly KnownRevision[],
  top: KnownRevision,
  { services, endpoints, ready, since }: SeenServices,
): Replica {
  const { record } = stored
  const running = history.findLast(({ status }) => status === 'deployed')
  const made = running ? madeOf(running, history, record.known) : top.marked
  const isReady = ready && running !== undefined
  const from = Math.max(since?.getTime() ?? 0, running?.updated?.getTime() ?? 0)
  const isLeaving = record.operation?.verb === 'uninstall' || top.status === 'uninstalling'
  return {
    engineId: engineIdOf(stored),
    index: 0,
    release: made?.release ?? '',
    specHash: made?.specHash ?? '',
    ready: isReady,
    ...(isReady && from > 0 && { readySince: new Date(from) }),
    terminating: isLeaving,
    ...(isTold(stored) && top.status === 'failed' && { failed: 'again' as const }),
    services: { ...services, [`helm/${record.releaseName}`]: releaseService(top, running !== undefined) },
    endpoints,
  }
}

const phases: Readonly<Record<HelmStatus, ServicePhase>> = {
  unknown: 'waiting',
  deployed: 'running',
  superseded: 'running',
  uninstalled: 'stopped',
  uninstalling: 'stopping',
  failed: 'crashed',
  'pending-install': 'starting',
  'pending-upgrade': 'starting',
  'pending-rollback': 'starting',
}

/** The release itself, with Helm's own word for it. */
function releaseService({ status, revision, chart, updated }: KnownRevision, isDeployed: boolean): ServiceObserved {
  return {
    role: 'sidecar',
    phase: phases[status] ?? 'waiting',
    ready: isDeployed,
    restarts: 0,
    ...(updated && { startedAt: updated }),
    message: `${status}, revision ${revision}, chart ${chart}`,
  }
}

/** What failed says more than what its objects say now; while a helm runs, only the objects can tell. */
function stallOf(
  { record }: Stored,
  history: readonly KnownRevision[],
  { stall }: SeenServices,
  stallAt: (message: string) => Date,
): Stall | undefined {
  const { failure, operation, known } = record
  const top = history.at(-1)
  const isOver = top?.status === 'deployed' && madeOf(top, history, known)?.specHash === failure?.specHash
  if (failure && isTold({ record }) && !operation && !isOver) {
    const because = stall ? ` (${stall.message})` : ''
    return {
      reason: stall?.reason ?? failure.reason,
      message: `${failure.message}${because}`,
      at: new Date(failure.at),
    }
  }
  return stall && { ...stall, at: stallAt(stall.message) }
}

/** A death that is made good at once is nobody's business. */
const isTold = ({ record: { failure } }: Pick<Stored, 'record'>): boolean =>
  failure !== undefined && failure.againAt > failure.at

/** Deployed by somebody else: neither by our words nor with what we have deployed last. */
function isForeign(top: KnownRevision, { record: { known } }: Stored): boolean {
  const { release = '', specHash = '' } = top.marked
  const isOurs = top.description === descriptionOf(release, specHash) || top.content === known?.content
  return top.status === 'deployed' && !isOurs
}
