/** The network of a tenant: one on each daemon, with addresses of its own, made when it is first needed. */
import { networkInterfaces } from 'node:os'
import { type Call, type Clock, Fault, isFault, orAbort } from '@gantry/core'
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
}

/** How often somebody else may take the addresses that we have just chosen. */
const attempts = 10
const lingerMs = 10_000

export class TenantNetworks {
  readonly #parts: NetworkParts
  readonly #known = new Map<string, Promise<string>>()
  readonly #leaving = new Map<string, () => void>()

  constructor(parts: NetworkParts) {
    this.#parts = parts
  }

  /** Answers its name. Those who ask at the same time are answered together. */
  ensure(tenant: string, call: Call): Promise<string> {
    const known = this.#known.get(tenant)
    if (known) return orAbort(known, call)
    const made = this.#make(tenant, this.#parts.life)
    this.#known.set(tenant, made)
    made.catch(() => this.forget(tenant))
    return orAbort(made, call)
  }

  /** It may be gone: looked for again when it is next needed. */
  forget(tenant: string): void {
    this.#known.delete(tenant)
  }

  /** To be removed after a while, unless somebody comes: who replaces a workload would only have to make it again. */
  release(tenant: string, isNeeded: () => boolean): void {
    const { clock, life } = this.#parts
    this.#leaving.get(tenant)?.()
    const cancel = clock.after(lingerMs, () => {
      this.#leaving.delete(tenant)
      if (isNeeded() || life.signal.aborted) return
      this.#remove(tenant, life).catch((error: unknown) => {
        // Tried again when the next one leaves, or when we come again.
        if (!isFault(error) && !life.signal.aborted) throw error
      })
    })
    this.#leaving.set(tenant, cancel)
  }

  /** Those of tenants that nobody is left of. */
  async releaseUnused(isNeeded: (tenant: string) => boolean, call: Call): Promise<void> {
    const marks = [`${label.installation}=${this.#parts.installation}`]
    const all = await this.#parts.api.networks.list({ label: marks }, call)
    const tenants = all.flatMap(({ Labels }) => Labels?.[label.tenant] ?? [])
    for (const tenant of tenants) if (!isNeeded(tenant)) this.release(tenant, () => isNeeded(tenant))
  }

  close(): void {
    for (const cancel of this.#leaving.values()) cancel()
  }

  /** What others use stays. */
  async #remove(tenant: string, call: Call): Promise<void> {
    const { api } = this.#parts
    const found = await this.#find(tenant, call)
    if (!found) return
    this.forget(tenant)
    try {
      await api.networks.remove(found.Id, call)
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
        return Name
      } catch (error) {
        // Somebody was quicker, with the name or with the addresses.
        const isTaken = isFault(error) && ['engine_object_exists', 'engine_object_conflict'].includes(error.reason)
        if (!isTaken || attempt === attempts) throw error
      }
    }
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
