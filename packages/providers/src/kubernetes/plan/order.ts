/**
 * Pure: what each service is in a pod. Inits are init containers, one after another. A service that others wait for is a
 * native sidecar: an init container that goes on, so that the next is started only when it has started (or, with a startup
 * probe, is healthy). All the rest are containers beside each other, main first.
 */
import type { ServiceSpec } from '@gantry/core'

type Ordered = Pick<ServiceSpec, 'name' | 'role' | 'dependsOn'>

export type PodOrder<T extends Ordered = Ordered> = {
  readonly inits: readonly T[]
  readonly sidecars: readonly T[]
  /** At least one: whoever nobody waits for. */
  readonly containers: readonly T[]
  /** Those of the sidecars that must be healthy before anybody goes on. */
  readonly healthyFirst: ReadonlySet<string>
}

export function podOrder<T extends Ordered>(services: readonly T[]): PodOrder<T> {
  const inits = services.filter(({ role }) => role === 'init')
  const others = mainFirst(services.filter(({ role }) => role !== 'init'))
  const main = others.find(({ role }) => role === 'main')
  const awaited = awaitedOf(others)
  const early = (service: T): boolean => main !== undefined && reaches(main, service.name, others)
  // A sidecar starts after main unless main depends on it: where one is awaited, main has to be before it in the same row.
  const isEarly = main !== undefined && others.some((each) => each !== main && awaited.has(each.name) && !early(each))
  if (isEarly) awaited.add(main.name)
  const needs = (service: T): string[] => [
    ...service.dependsOn.map(({ service: name }) => name),
    ...(main && service !== main && !early(service) ? [main.name] : []),
  ]
  return {
    inits: sorted(inits, ({ dependsOn }) => dependsOn.map(({ service }) => service)),
    sidecars: sorted(
      others.filter(({ name }) => awaited.has(name)),
      needs,
    ),
    containers: others.filter(({ name }) => !awaited.has(name)),
    healthyFirst: new Set(
      others.flatMap(({ dependsOn }) =>
        dependsOn.flatMap(({ service, until }) => (until === 'healthy' ? [service] : [])),
      ),
    ),
  }
}

/** In the order of the pod. */
export const inPodOrder = <T extends Ordered>({ inits, sidecars, containers }: PodOrder<T>): readonly T[] => [
  ...inits,
  ...sidecars,
  ...containers,
]

/** Inits are over before any of these starts, so nobody waits for them here. */
export function awaitedOf(others: readonly Ordered[]): Set<string> {
  const names = new Set(others.map(({ name }) => name))
  const waitedFor = others.flatMap(({ dependsOn }) => dependsOn.map(({ service }) => service))
  return new Set(waitedFor.filter((name) => names.has(name)))
}

const mainFirst = <T extends Ordered>(services: readonly T[]): T[] => [
  ...services.filter(({ role }) => role === 'main'),
  ...services.filter(({ role }) => role !== 'main'),
]

/** As written, but each after what it needs of the others. What is in a circle was refused long before, and stays as written. */
function sorted<T extends Ordered>(services: readonly T[], needs: (service: T) => readonly string[]): T[] {
  const left = new Map(services.map((service) => [service.name, service]))
  const done: T[] = []
  while (left.size > 0) {
    const free = [...left.values()].find((service) => needs(service).every((name) => !left.has(name)))
    const next = free ?? [...left.values()][0]
    if (!next) break
    left.delete(next.name)
    done.push(next)
  }
  return done
}

function reaches(from: Ordered, to: string, all: readonly Ordered[], seen = new Set<string>()): boolean {
  if (seen.has(from.name)) return false
  seen.add(from.name)
  return from.dependsOn.some(({ service }) => {
    const next = all.find(({ name }) => name === service)
    return service === to || (next !== undefined && reaches(next, to, all, seen))
  })
}
