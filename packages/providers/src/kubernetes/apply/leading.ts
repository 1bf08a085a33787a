/**
 * Whether the addresses of an instance lead to it. That replicas are ready we hear at once; whoever shares an address out hears of
 * it a moment later, and requests that come in between find nobody. No part of a cluster tells when that is over: it is tried.
 */
import type { Call } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { type Ref, refKey } from '../../ref.ts'
import type { ClusterCache } from '../cluster/cluster-cache.ts'
import { accepts, type Dialled } from '../dial.ts'
import type { ServiceSeen } from '../observe/seen.ts'
import { slotsOf } from './workload-service.ts'

/** Who is not led there by then is kept away by something else, such as a policy of the network: no deploy is held up for that. */
const mostMs = 10_000
const dialMs = 1_000

/** Of one Service. `since`: when it was first tried; `over`: it led there, or was tried for long enough. */
type Tried = { readonly since: number; over: boolean }

export class Leading {
  readonly #cache: ClusterCache
  /** By instance, and by the uid of the Service. */
  readonly #tried = new Map<string, ReadonlyMap<string, Tried>>()

  constructor(cache: ClusterCache) {
    this.#cache = cache
  }

  forget(ref: Ref): void {
    this.#tried.delete(refKey(ref))
  }

  /** Of one whose replicas are ready. `undefined`: all lead there, or cannot be tried from here. Read as "waiting for …". */
  async waitsFor(desired: Desired, call: Call): Promise<string | undefined> {
    const { via, clock } = this.#cache
    const key = refKey(desired.ref)
    const before = this.#tried.get(key)
    const addresses = via === 'direct' ? this.#leadingTo(desired) : []
    const tried = addresses.map(({ uid, at }) => {
      return { uid, at, tried: before?.get(uid) ?? { since: clock.monotonic(), over: false } }
    })
    this.#tried.set(key, new Map(tried.map((each) => [each.uid, each.tried])))
    for (const { at, tried: one } of tried) {
      if (one.over) continue
      one.over = (await accepts(at, dialMs, clock, call)) || clock.monotonic() - one.since >= mostMs
      if (!one.over) return `the cluster to lead ${at.host}:${at.port} to it`
    }
    return undefined
  }

  /** Its own, and the one of the workload as a whole where that lets its slot in. */
  #leadingTo(desired: Desired): { readonly uid: string; readonly at: Dialled }[] {
    const { ref } = desired
    const whole = this.#cache.kinds.services.items.of(ref.uid).filter((service) => slotsOf(service).includes(ref.slot))
    return [...this.#cache.services(ref), ...whole].flatMap((service) => {
      const at = service.deleting ? undefined : dialled(desired, service)
      return at ? [{ uid: service.uid, at }] : []
    })
  }
}

/** A port at which somebody listens for certain: its health check has asked there. */
function dialled({ services }: Desired, { clusterIp, ports }: ServiceSeen): Dialled | undefined {
  const asked = services.flatMap(({ healthCheck, ports: own, role }) => {
    const name = role === 'init' ? undefined : (healthCheck?.http ?? healthCheck?.tcp)?.port
    return own.filter((port) => port.name === name).map(({ port }) => port)
  })
  const found = ports.find(({ port, protocol }) => protocol === 'TCP' && asked.includes(port))
  return clusterIp !== undefined && found ? { host: clusterIp, port: found.port } : undefined
}
