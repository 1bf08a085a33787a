import { describe, expect, it } from 'vitest'
import { Kit } from '../../contract/kit.ts'
import { simulatedHarness } from '../../testing/simulated-harness.ts'
import { driftOf, mendOf } from './drift.ts'
import type { ContainerSeen } from './seen.ts'

const kit = new Kit(await simulatedHarness())
const all = new Set(['cpu', 'memory', 'pids'] as const)
const mebi = 2 ** 20

function look(limits: ContainerSeen['limits'], resources: { memory?: string; cpu?: string }) {
  const desired = kit.desired({ services: [{ name: 'web', image: 'app:1', resources }] })
  const container = { limits } as ContainerSeen
  const [service] = desired.services
  if (!service) throw new Error('there is a service')
  return { drift: driftOf(desired, () => container, all), mend: mendOf(service, container, all) }
}

describe('what somebody has changed of a container', () => {
  it('is nothing where it is as it was made', () => {
    const made = { Memory: 64 * mebi, NanoCpus: 0, CpuShares: 0, MemoryReservation: 0, PidsLimit: 0 }
    expect(look(made, { memory: '64Mi' })).toEqual({ drift: [], mend: { do: 'nothing' } })
  })

  it('is named by its path, and put back', () => {
    const { drift, mend } = look({ Memory: 128 * mebi }, { memory: '64Mi' })
    expect(drift).toEqual(['spec.services[0].resources.memory'])
    expect(mend).toMatchObject({ do: 'update', settings: { Memory: 64 * mebi, MemorySwap: 64 * mebi } })
  })

  it('costs the replica where it is a limit that nobody asked for: the daemon has no way back', () => {
    expect(look({ Memory: 64 * mebi }, {}).mend).toEqual({ do: 'replace' })
  })
})
