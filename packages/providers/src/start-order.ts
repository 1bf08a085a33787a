/**
 * Pure: which services of a replica may start now. Every init exits 0 before anything else starts, inits one after
 * another unless they depend otherwise; sidecars start after main unless main depends on them. Only for the first start.
 */
import type { ServiceRole, ServiceSpec } from '@gantry/core'

export type Progress = 'waiting' | 'started' | 'healthy' | 'completed' | 'failed'

type Ordered = Pick<ServiceSpec, 'name' | 'role' | 'dependsOn'>

export function startable(services: readonly Ordered[], progress: (name: string) => Progress): string[] {
  const inits = services.filter(({ role }) => role === 'init')
  const pending = inits.filter(({ name }) => progress(name) !== 'completed')
  if (pending.length > 0) return nextInit(pending, progress)
  return services
    .filter(({ role, name }) => role !== 'init' && progress(name) === 'waiting')
    .filter((service) => isFree(service, services, progress))
    .map(({ name }) => name)
}

function nextInit(pending: readonly Ordered[], progress: (name: string) => Progress): string[] {
  if (pending.some(({ name }) => progress(name) !== 'waiting')) return []
  const next = pending.find(({ dependsOn }) => dependsOn.every((dependency) => isMet(dependency, progress)))
  return next ? [next.name] : []
}

function isFree(service: Ordered, all: readonly Ordered[], progress: (name: string) => Progress): boolean {
  if (!service.dependsOn.every((dependency) => isMet(dependency, progress))) return false
  if (service.role !== 'sidecar') return true
  const main = all.find(({ role }) => role === 'main')
  if (!main || reaches(main, service.name, all)) return true
  return reached(progress(main.name), 'started')
}

/** Whether one depends on the other, also through others: a sidecar of a sidecar of main comes before main too. */
function reaches(from: Ordered, to: string, all: readonly Ordered[], seen = new Set<string>()): boolean {
  if (seen.has(from.name)) return false
  seen.add(from.name)
  return from.dependsOn.some(({ service }) => {
    const next = all.find(({ name }) => name === service)
    return service === to || (next !== undefined && reaches(next, to, all, seen))
  })
}

const isMet = ({ service, until }: ServiceSpec['dependsOn'][number], progress: (name: string) => Progress): boolean =>
  reached(progress(service), until)

const rank = { failed: -1, waiting: 0, started: 1, healthy: 2, completed: 3 } as const satisfies Record<
  Progress,
  number
>

const reached = (is: Progress, until: Exclude<Progress, 'waiting' | 'failed'>): boolean => rank[is] >= rank[until]

/** The order to stop in: main first, so that what it relies on is there to the end. */
export const stopRank = { main: 0, sidecar: 1, init: 2 } as const satisfies Record<ServiceRole, number>
