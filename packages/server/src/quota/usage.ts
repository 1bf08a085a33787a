/** What an object takes of its tenant's quota. Stopped workloads count in full, so that starting one cannot be refused. */
import {
  type KindName,
  milliUnits,
  type ProviderSpec,
  parseQuantity,
  type WorkloadSpec,
  wholeUnits,
} from '@gantry/core'
import { defaultProviderUsage } from '../providers/default-provider.ts'

/** By counter; the unit is part of the name, because refusals show it. */
export type Usage = Readonly<Record<string, bigint>>

const none: Usage = {}

export function usageOf(kind: KindName, spec: unknown): Usage {
  if (kind === 'Secret') return { secrets: 1n }
  if (kind === 'Provider') return defaultProviderUsage(spec as ProviderSpec)
  return kind === 'Workload' ? workloadUsage(spec as WorkloadSpec) : none
}

function workloadUsage({ replicas, services }: WorkloadSpec): Usage {
  const each = BigInt(replicas)
  const sum = (of: (service: WorkloadSpec['services'][number]) => bigint): bigint =>
    each * services.reduce((total, service) => total + of(service), 0n)
  return {
    workloads: 1n,
    replicas: each,
    services: each * BigInt(services.length),
    'cpu.milli': sum(({ resources }) => milli(resources.cpu)),
    'memory.bytes': sum(({ resources }) => whole(resources.memory)),
    'disk.bytes': sum(
      ({ resources, volumes }) =>
        whole(resources.disk) + volumes.reduce((total, volume) => total + whole(sizeOf(volume)), 0n),
    ),
  }
}

function sizeOf(volume: object): string | undefined {
  return 'size' in volume && typeof volume.size === 'string' ? volume.size : undefined
}

function milli(text: string | undefined): bigint {
  return text === undefined ? 0n : milliUnits(parseQuantity(text))
}

function whole(text: string | undefined): bigint {
  return text === undefined ? 0n : wholeUnits(parseQuantity(text))
}
