/** Pure: what somebody else has changed of a container, and how it is put back. */
import type { Desired, DesiredService } from '../../desired.ts'
import type { UpdateContainer } from '../api/types/containers.ts'
import { type LimitName, limitsOf } from '../plan/limits.ts'
import type { ContainerSeen } from './seen.ts'

const fields = {
  NanoCpus: 'resources.cpu',
  CpuShares: 'requests.cpu',
  Memory: 'resources.memory',
  MemoryReservation: 'requests.memory',
  PidsLimit: 'resources.pids',
} as const

type Field = keyof typeof fields

/** Unlimited is 0 to some questions, and less than that to others. */
const amount = (value: number | null | undefined): number => Math.max(0, value ?? 0)

function changed(service: DesiredService, container: ContainerSeen, enforces: ReadonlySet<LimitName>): Field[] {
  const wanted = limitsOf(service, enforces)
  return (Object.keys(fields) as Field[]).filter((field) => amount(wanted[field]) !== amount(container.limits[field]))
}

/** By path. */
export function driftOf(
  { services }: Desired,
  containerOf: (service: string) => ContainerSeen | undefined,
  enforces: ReadonlySet<LimitName>,
): string[] {
  return services.flatMap((service, at) => {
    const container = containerOf(service.name)
    const fieldsOf = container ? changed(service, container, enforces) : []
    return fieldsOf.map((field) => `spec.services[${at}].${fields[field]}`)
  })
}

export type Mend =
  | { readonly do: 'nothing' }
  | { readonly do: 'update'; readonly settings: UpdateContainer }
  /** A limit that nobody asked for cannot be taken back from a container. */
  | { readonly do: 'replace' }

export function mendOf(service: DesiredService, container: ContainerSeen, enforces: ReadonlySet<LimitName>): Mend {
  const different = changed(service, container, enforces)
  if (different.length === 0) return { do: 'nothing' }
  const wanted = limitsOf(service, enforces)
  if (different.some((field) => amount(wanted[field]) === 0)) return { do: 'replace' }
  return { do: 'update', settings: wanted }
}
