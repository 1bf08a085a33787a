/**
 * Whether the address of an instance leads to it. That replicas are ready we hear at once; whoever shares their address out hears of
 * it a moment later, and requests that come in between find nobody. No part of a cluster tells when that is over: it is tried.
 */
import type { Call } from '@gantry/core'
import type { Desired } from '../../desired.ts'
import { type Ref, refKey } from '../../ref.ts'
import type { ClusterCache } from '../cluster/cluster-cache.ts'
import { accepts, type Dialled } from '../dial.ts'
import type { ServiceSeen } from '../observe/seen.ts'

/** Who is not led there by then is kept away by something else, such as a policy of the network: no deploy is held up for that. */
const mostMs = 10_000
const dialMs = 1_000

/** `since`: when it was first tried; `over`: it led there, or was tried for long enough. Both of one Service, by its uid. */
type Tried = { readonly uid: string; readonly since: number; over: boolean }

export class Leading {
  readonly #cache: ClusterCache
  readonly #tried = new Map<string, Tried>()

  constructor(cache: ClusterCache) {
    this.#cache = cache
  }

  forget(ref: Ref): void {
    this.#tried.delete(refKey(ref))
  }

  /** Of one whose replicas are ready. `undefined`: it leads there, or cannot be tried from here. Read as "waiting for …". */
  async waitsFor(desired: Desired, call: Call): Promise<string | undefined> {
    const { via, clock } = this.#cache
    const key = refKey(desired.ref)
    const service = this.#cache
      .services(desired.ref)
      .find(({ deleting, clusterIp }) => !deleting && clusterIp !== undefined)
    const at = service && via === 'direct' ? dialled(desired, service) : undefined
    if (!service || !at) return undefined
    const before = this.#tried.get(key)
    const tried: Tried =
      before?.uid === service.uid ? before : { uid: service.uid, since: clock.monotonic(), over: false }
    this.#tried.set(key, tried)
    if (tried.over) return undefined
    tried.over = (await accepts(at, dialMs, clock, call)) || clock.monotonic() - tried.since >= mostMs
    return tried.over ? undefined : `the cluster to lead ${at.host}:${at.port} to it`
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
