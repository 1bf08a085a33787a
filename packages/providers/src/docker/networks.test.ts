import { Fault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { describe, expect, it } from 'vitest'
import type { DockerApi } from './api/api.ts'
import type { CreateNetwork, Network } from './api/types/networks.ts'
import { networkName } from './names.ts'
import { TenantNetworks } from './networks.ts'

const call = { signal: new AbortController().signal }
const ours = networkName('here', 'acme')

/** As a daemon has them: names are not unique, addresses are. */
class FakeNetworks {
  readonly all: Network[] = []
  made = 0
  /** Runs before the next one is made. */
  before: (() => void) | undefined
  readonly used = new Set<string>()

  put({ Name, IPAM, Labels = {} }: CreateNetwork): string {
    const Id = `n${this.all.length + this.made}`
    this.all.push({
      Id,
      Name,
      Created: `t${this.all.length}`,
      Driver: 'bridge',
      Internal: false,
      IPAM: IPAM ?? { Config: [] },
      Labels,
    })
    return Id
  }

  get api(): DockerApi['networks'] {
    const unused = () => Promise.reject(new Error('not asked here'))
    return {
      list: async ({ label: marks = [], name }) =>
        this.all.filter(({ Labels, Name }) => {
          const isMarked = marks.every((mark) =>
            Object.entries(Labels ?? {}).some(([key, value]) => `${key}=${value}` === mark),
          )
          return isMarked && (name === undefined || name.includes(Name))
        }),
      create: async (network) => {
        this.made += 1
        const act = this.before
        this.before = undefined
        act?.()
        const subnet = network.IPAM?.Config[0]?.Subnet
        const isTaken = this.all.some(({ IPAM }) => IPAM.Config?.[0]?.Subnet === subnet)
        if (isTaken) throw new Fault('engine_object_exists', 'Pool overlaps')
        return this.put(network)
      },
      remove: async (id) => {
        if (this.used.has(id)) throw new Fault('engine_object_conflict', 'in use')
        const at = this.all.findIndex(({ Id }) => Id === id)
        if (at >= 0) this.all.splice(at, 1)
      },
      inspect: unused,
      connect: unused,
      disconnect: unused,
    }
  }
}

function tenants(fake: FakeNetworks, clock = new VirtualClock()) {
  const api = { networks: fake.api } as DockerApi
  const parts = { api, installation: 'here', subnets: '10.99.0.0/16', clock, random: () => 0, life: call }
  const doubts: unknown[] = []
  return { clock, doubts, networks: new TenantNetworks({ ...parts, doubt: (error) => doubts.push(error) }) }
}

describe('the network of a tenant', () => {
  it('is made once, however many ask at the same time, with addresses of its own', async () => {
    const fake = new FakeNetworks()
    const { networks } = tenants(fake)
    const names = await Promise.all([networks.ensure('acme', call), networks.ensure('acme', call)])
    await networks.ensure('other', call)
    expect(names).toEqual([ours, ours])
    expect(fake.all.map(({ IPAM }) => IPAM.Config?.[0]?.Subnet)).toEqual(['10.99.0.0/24', '10.99.1.0/24'])
  })

  it('is taken up where it is there, and looked for again when it may be gone', async () => {
    const fake = new FakeNetworks()
    const first = tenants(fake)
    await first.networks.ensure('acme', call)
    const second = tenants(fake)
    await second.networks.ensure('acme', call)
    expect(fake.made).toBe(1)
    fake.all.length = 0
    second.networks.forget('acme')
    await second.networks.ensure('acme', call)
    expect(fake.made).toBe(2)
  })

  it('is left alone where it is somebody else’s', async () => {
    const fake = new FakeNetworks()
    fake.put({ Name: ours })
    await expect(tenants(fake).networks.ensure('acme', call)).rejects.toMatchObject({ reason: 'foreign_object' })
  })

  it('gets other addresses where somebody was quicker with these', async () => {
    const fake = new FakeNetworks()
    fake.before = () => fake.put({ Name: 'rival', IPAM: { Config: [{ Subnet: '10.99.0.0/24' }] } })
    await tenants(fake).networks.ensure('acme', call)
    expect(fake.all.at(-1)?.IPAM.Config?.[0]?.Subnet).toBe('10.99.1.0/24')
  })

  it('is the first one where two of us were equally quick', async () => {
    const fake = new FakeNetworks()
    const rival = { Name: ours, IPAM: { Config: [{ Subnet: '10.99.7.0/24' }] } }
    fake.before = () => fake.put(rival)
    await tenants(fake).networks.ensure('acme', call)
    expect(fake.all.map(({ IPAM }) => IPAM.Config?.[0]?.Subnet)).toEqual(['10.99.7.0/24'])
  })

  it('goes a while after the last one has left, and stays where somebody came or is in it', async () => {
    const fake = new FakeNetworks()
    const { networks, clock } = tenants(fake)
    let needed = true
    for (const tenant of ['acme', 'used']) await networks.ensure(tenant, call)
    const [, used] = fake.all
    fake.used.add(used?.Id ?? '')
    networks.release('acme', () => needed)
    await clock.advance(60_000)
    expect(fake.all).toHaveLength(2)
    needed = false
    for (const tenant of ['acme', 'used']) networks.release(tenant, () => needed)
    await clock.advance(60_000)
    expect(fake.all).toEqual([used])
  })

  it('that cannot be removed while nobody waits for it is told to who looks after the daemon', async () => {
    const fake = new FakeNetworks()
    const { networks, clock, doubts } = tenants(fake)
    await networks.ensure('acme', call)
    const odd = new SyntaxError('this is no JSON')
    fake.used.has = () => {
      throw odd
    }
    networks.release('acme', () => false)
    await clock.advance(60_000)
    expect(doubts).toEqual([odd])
  })
})
