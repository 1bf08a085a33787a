/** A tenant's quota as the limits that the store holds a write to, in the same transaction. */
import { formatQuantity, milliUnits, parseQuantity, type Quota, type QuotaCounter, wholeUnits } from '@gantry/core'
import type { UsageLimit } from '@gantry/store'

/** `text`: units as people write them, which is what a quota has too. */
type Read = {
  readonly counter: string
  readonly units: (text: string) => bigint
  readonly text: (units: bigint) => number | string
}

const whole = (units: bigint): string => formatQuantity(parseQuantity(String(units)))

const counted = {
  workloads: { counter: 'workloads', units: BigInt, text: Number },
  replicas: { counter: 'replicas', units: BigInt, text: Number },
  services: { counter: 'services', units: BigInt, text: Number },
  cpu: {
    counter: 'cpu.milli',
    units: (text) => milliUnits(parseQuantity(text)),
    text: (units) => formatQuantity(parseQuantity(`${units}m`)),
  },
  memory: { counter: 'memory.bytes', units: (text) => wholeUnits(parseQuantity(text)), text: whole },
  disk: { counter: 'disk.bytes', units: (text) => wholeUnits(parseQuantity(text)), text: whole },
  secrets: { counter: 'secrets', units: BigInt, text: Number },
} as const satisfies Record<QuotaCounter, Read>

export function limitsOf(tenant: string, quota: Quota): UsageLimit[] {
  return Object.entries(quota).flatMap(([name, value]) => {
    if (value === undefined) return []
    const { counter, units } = counted[name as QuotaCounter]
    return [{ tenant, counter, limit: units(String(value)) }]
  })
}

/** What the store has counted, in the words of a quota. */
export function usedOf(usage: Readonly<Record<string, bigint>>): Quota {
  const entries = Object.entries(counted).map(([name, { counter, text }]) => [name, text(usage[counter] ?? 0n)])
  return Object.fromEntries(entries) as Quota
}
