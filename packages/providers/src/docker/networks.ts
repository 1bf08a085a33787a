/** The network of a tenant: one on each daemon, with addresses of its own, made when it is first needed. */
import { networkInterfaces } from 'node:os'
import { type Call, type Clock, Fault, isFault, orAbort, withDeadline } from '@gantry/core'
import { label } from '../labels.ts'
import type { DockerApi } from './api/api.ts'
import type { CreateNetwork, Network } from './api/types/networks.ts'
import { networkName } from './names.ts'
import { freeSubnet, type Range, rangeOf } from './subnets.ts'

export type NetworkParts = {
  readonly api: DockerApi
  readonly installation: string
  readonly subnets: string
  readonly clock: Clock
  readonly random: () => number
  /** For as long as the engine is used: what one has begun is not given up for all when he leaves. */
  readonly life: Call
  /** What the daemon said was not understood, and nobody waits who could be told. */
  readonly doubt: (error: unknown) => void
}

/** How often somebody else may take the addresses that we have just chosen. */
const attempts = 10
const lingerMs = 10_000
/** How long whoever closes waits for those that still linger. */
const closeMs = 3_000

export class TenantNetworks {
  readonly #parts: NetworkParts
  readonly #known = new Map<string, Promise<string>>()
  readonly #making = new Set<string>()
  readonly #leaving = new Map<string, { readonly cancel: () => void; readonly isNeeded: () => boolean }>()

  constructor(parts: NetworkParts) {
    this.#parts = parts
  }

  /** Answers its name. Those who ask at the same time are answered together. */
  ensure(tenant: string, call: Call): Promise<string> {
    const known = this.#known.get(tenant)
    if (known) return orAbort(known, call)
    const made = this.#make(tenant, this.#parts.life)
    this.#known.set(tenant, made)
    this.#making.add(tenant)
    const over = (): unknown => this.#making.delete(tenant)
    made.then(over, over)
    made.catch(() => this.forget(tenant))
    return orAbort(made, call)
  }

  /** It may be gone: looked for again when it is next needed. One that is being made is not missed yet. */
  forget(tenant: string): void {
    if (!this.#making.has(tenant)) this.#known.delete(tenant)
  }

  /** To be removed after a while, unless somebody comes: who replaces a workload would only have to make it again. */
  release(tenant: string, isNeeded: () => boolean): void {
    const { clock, life, doubt } = this.#parts
    this.#leaving.get(tenant)?.cancel()
    const cancel = clock.after(lingerMs, () => {
      this.#leaving.delete(tenant)
      if (isNeeded() || life.signal.aborted) return
      // What fails is tried again when the next one leaves, or when we come again.
      this.#remove(tenant, life).catch(doubt)
    })
    this.#leaving.set(tenant, { cancel, isNeeded })
  }

  /** Those of tenants that nobody is left of. */
  async releaseUnused(isNeeded: (tenant: string) => boolean, call: Call): Promise<void> {
    const marks = [`${label.installation}=${this.#parts.installation}`]
    const all = await this.#parts.api.networks.list({ label: marks }, call)
    const tenants = all.flatMap(({ Labels }) => Labels?.[label.tenant] ?? [])
    for (const tenant of tenants) if (!isNeeded(tenant)) this.release(tenant, () => isNeeded(tenant))
  }

  /** Those that were about to go, go now: whoever is closed may never come again. No longer than the daemon answers. */
  async close(): Promise<void> {
    const leaving = [...this.#leaving]
    this.#leaving.clear()
    for (const [, { cancel }] of leaving) cancel()
    const unused = leaving.filter(([, { isNeeded }]) => !isNeeded())
    const own = new AbortController()
    const deadline = withDeadline(this.#parts.clock, closeMs, 'Removing networks that nobody uses', own)
    try {
      await Promise.all(unused.map(([tenant]) => this.#remove(tenant, deadline)))
    } catch (error) {
      // Found again by whoever opens this daemon next.
      if (!isFault(error)) throw error
    } finally {
      deadline.clear()
    }
  }

  async #remove(tenant: string, call: Call): Promise<void> {
    const found = await this.#find(tenant, call)
    if (!found) return
    this.forget(tenant)
    await this.#removeUnused(found.Id, call)
  }

  /** What others use stays. */
  async #removeUnused(id: string, call: Call): Promise<void> {
    try {
      await this.#parts.api.networks.remove(id, call)
    } catch (error) {
      if (!isFault(error) || error.reason !== 'engine_object_conflict') throw error
    }
  }

  async #make(tenant: string, call: Call): Promise<string> {
    const { api, installation, subnets, random } = this.#parts
    const Name = networkName(installation, tenant)
    for (let attempt = 1; ; attempt += 1) {
      const all = await api.networks.list({}, call)
      const there = all.find((network) => network.Name === Name)
      if (there && isOurs(there, installation, tenant)) return Name
      if (there) {
        const message = `Network ${Name} is somebody else's; it is left alone: remove or rename it`
        throw new Fault('foreign_object', message)
      }
      const subnet = freeSubnet(subnets, takenBy(all), random())
      try {
        await api.networks.create(networkFor(Name, subnet, installation, tenant), call)
        await this.#settle(Name, call)
        return Name
      } catch (error) {
        // Somebody was quicker, with the name or with the addresses.
        const isTaken = isFault(error) && ['engine_object_exists', 'engine_object_conflict'].includes(error.reason)
        if (!isTaken || attempt === attempts) throw error
      }
    }
  }

  /** Names are not unique to a daemon: where two were made at the same time, the first stays. */
  async #settle(Name: string, call: Call): Promise<void> {
    const { networks } = this.#parts.api
    const same = (await networks.list({ name: [Name] }, call)).filter((network) => network.Name === Name)
    const order = (network: Network): string => `${network.Created} ${network.Id}`
    const [, ...others] = same.sort((left, right) => (order(left) < order(right) ? -1 : 1))
    for (const { Id } of others) await this.#removeUnused(Id, call)
  }

  async #find(tenant: string, call: Call): Promise<Network | undefined> {
    const { api, installation } = this.#parts
    const marks = [`${label.installation}=${installation}`, `${label.tenant}=${tenant}`]
    const [found] = await api.networks.list({ label: marks }, call)
    return found
  }
}

export function networkFor(Name: string, Subnet: string, installation: string, tenant: string): CreateNetwork {
  const Labels = { [label.installation]: installation, [label.tenant]: tenant, [label.role]: 'network' }
  return { Name, Driver: 'bridge', IPAM: { Config: [{ Subnet }] }, Labels }
}

const isOurs = ({ Labels }: Network, installation: string, tenant: string): boolean =>
  Labels?.[label.installation] === installation && Labels[label.tenant] === tenant

/** By networks of the daemon, and by interfaces of this machine, which mostly is the daemon's too. */
function takenBy(networks: readonly Network[]): Range[] {
  const subnets = networks.flatMap(({ IPAM }) => (IPAM.Config ?? []).flatMap(({ Subnet }) => Subnet ?? []))
  const own = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).flatMap(({ cidr }) => cidr ?? []),
  )
  return [...subnets, ...own].flatMap((text) => rangeOf(text) ?? [])
}
