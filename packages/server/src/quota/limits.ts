/** A tenant's quota as the limits that the store holds a write to, in the same transaction. */
import { milliUnits, parseQuantity, type Quota, type QuotaCounter, wholeUnits } from '@gantry/core'
import type { UsageLimit } from '@gantry/store'

type Read = { readonly counter: string; readonly units: (text: string) => bigint }

const counted = {
  workloads: { counter: 'workloads', units: BigInt },
  replicas: { counter: 'replicas', units: BigInt },
  services: { counter: 'services', units: BigInt },
  cpu: { counter: 'cpu.milli', units: (text) => milliUnits(parseQuantity(text)) },
  memory: { counter: 'memory.bytes', units: (text) => wholeUnits(parseQuantity(text)) },
  disk: { counter: 'disk.bytes', units: (text) => wholeUnits(parseQuantity(text)) },
  secrets: { counter: 'secrets', units: BigInt },
} as const satisfies Record<QuotaCounter, Read>

export function limitsOf(tenant: string, quota: Quota): UsageLimit[] {
  return Object.entries(quota).flatMap(([name, value]) => {
    if (value === undefined) return []
    const { counter, units } = counted[name as QuotaCounter]
    return [{ tenant, counter, limit: units(String(value)) }]
  })
}
