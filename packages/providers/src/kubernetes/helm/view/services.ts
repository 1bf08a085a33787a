/** The objects of a release as services of its one replica, each seen as an object of manifests is. Pure. */
import type { Endpoint, ServiceObserved, Stall } from '../../../observed.ts'
import { isClaim } from '../../manifests/health/claims.ts'
import type { RoomOf } from '../../manifests/health/pods.ts'
import { isWell } from '../../manifests/health/verdict.ts'
import { makesPods } from '../../manifests/kinds.ts'
import { serviceEndpoints } from '../../manifests/view/endpoints.ts'
import { type ServiceView, serviceView } from '../../manifests/view/service-view.ts'
import { isKept } from '../release/objects.ts'
import type { Live, LiveObject } from './live.ts'

export type SeenServices = {
  readonly services: Readonly<Record<string, ServiceObserved>>
  readonly endpoints: readonly Endpoint[]
  readonly ready: boolean
  /** The latest of those that say since when they are ready. */
  readonly since?: Date
  readonly stall?: Omit<Stall, 'at'>
  /** Looked for, and not there. */
  readonly lost: readonly string[]
  /** What somebody else has changed, each with its object before it: `deployment/web spec.replicas`. */
  readonly changed: readonly string[]
}

export type Sight = { readonly via: Endpoint['via']; readonly now: Date; readonly roomOf: RoomOf }

export function servicesOf(live: Live, sight: Sight): SeenServices {
  const { via } = sight
  const shown = live.objects.map((one) => ({ one, ...seenOf(one, live, sight) }))
  const main = shown.find(({ one, seen }) => isMaker(one) && !one.isHook && seen.role !== 'init')
  const stalled = shown.find(({ stall }) => stall)
  const sinces = shown.flatMap(({ health }) => health.since?.getTime() ?? [])
  return {
    services: Object.fromEntries(
      shown.map((each) => {
        const role = each === main ? 'main' : each.one.isHook ? 'init' : each.seen.role
        return [each.one.name, { ...each.seen, role, ...messageOf(each.one, each.seen) }]
      }),
    ),
    endpoints: live.objects.flatMap(({ name, object, written }) =>
      typeof object === 'object' && written.kind === 'Service' && written.apiVersion === 'v1'
        ? serviceEndpoints(object, name, via)
        : [],
    ),
    lost: shown.flatMap(({ one, seen }) => (one.object === undefined && !one.isHook && !seen.ready ? [one.name] : [])),
    changed: live.objects.flatMap(({ name, changed }) => changed.map((path) => `${name} ${path}`)),
    // Hooks come and go; whether they went well is said by Helm.
    ready: shown.every(({ one, health }) => one.isHook || isWell(health)),
    ...(sinces.length > 0 && { since: new Date(Math.max(...sinces)) }),
    ...(stalled?.stall && {
      stall: { ...stalled.stall, message: `${stalled.one.name}: ${stalled.stall.message}`, service: stalled.one.name },
    }),
  }
}

/** A Job that is not there any more had its time, and was cleared away after it. */
function seenOf(one: LiveObject, { pods, classes, isDeployed }: Live, { now, roomOf }: Sight): ServiceView {
  const beside = isClaim(one.written.apiVersion, one.written.kind) ? classes : pods
  const view = serviceView(one.at, one.object, beside, now, roomOf)
  if (one.object !== undefined || one.at.resource.kind !== 'Job' || !isDeployed) return view
  const seen = { ...view.seen, phase: 'completed', ready: true, message: 'it is over and was cleared away' } as const
  return { seen, health: { state: 'completed' }, pods: 0 }
}

const isMaker = ({ written: { apiVersion, kind } }: LiveObject): boolean => makesPods(apiVersion, kind)

function messageOf({ written }: LiveObject, { message }: ServiceObserved): { message?: string } {
  if (!isKept(written)) return {}
  const stays = 'stays when the release goes (helm.sh/resource-policy: keep)'
  return { message: message === undefined ? stays : `${message}; ${stays}` }
}
