/** What is inside a workload: its replicas, its newest rollout, and what those services wrote that fail. */
import type { ReplicaList, TenantClient } from '@gantry/api'
import { isFault, type ObjectOf, type ReplicaStatus } from '@gantry/core'
import type { AnyObject } from '../../objects/access.ts'

export type FailingService = { readonly service: string; readonly replica: number; readonly slot: 'a' | 'b' }

/** Lines, or why there are none. */
export type Wrote = FailingService & ({ readonly lines: readonly string[] } | { readonly why: string })

export type InsideWorkload = {
  readonly replicas: ReplicaList
  readonly rollout: ObjectOf<'Rollout'> | undefined
  readonly wrote: readonly Wrote[]
}

const mostLines = 10
/** One that fails is mostly like the next. */
const mostFailing = 3

export async function lookInside(
  tenant: TenantClient,
  object: AnyObject,
  signal: AbortSignal,
): Promise<InsideWorkload> {
  const { name } = object.metadata
  const { rollout } = object.status as ObjectOf<'Workload'>['status']
  const [replicas, newest] = await Promise.all([
    tenant.workloads.replicas(name, { signal }),
    rollout === undefined ? undefined : tenant.rollouts.get(rollout, { signal }).catch(ifGone),
  ])
  const failing = failingServices(replicas).slice(0, mostFailing)
  return {
    replicas,
    rollout: newest,
    wrote: await Promise.all(failing.map((one) => wroteLast(tenant, name, one, signal))),
  }
}

/** It was deleted between two looks. */
function ifGone(error: unknown): undefined {
  if (!isFault(error, 'not_found')) throw error
}

/** Pure: services that ended badly, or were started anew and are still not ready. */
export function failingServices({ items }: ReplicaList): FailingService[] {
  return items.flatMap(({ index, slot, services }) =>
    Object.entries(services)
      .filter(([, service]) => isFailing(service))
      .map(([service]) => ({ service, replica: index, slot })),
  )
}

function isFailing({ phase, ready, restarts, exitCode }: ReplicaStatus['services'][string]): boolean {
  if (phase === 'crashed') return true
  const endedBadly = exitCode !== undefined && exitCode !== 0
  return ready === false && (restarts > 0 || endedBadly) && phase !== 'completed' && phase !== 'stopped'
}

async function wroteLast(tenant: TenantClient, name: string, one: FailingService, signal: AbortSignal): Promise<Wrote> {
  const { service, replica } = one
  try {
    const lines: string[] = []
    for await (const record of tenant.workloads.logs(name, { service, replica, tail: mostLines, signal })) {
      if ('line' in record && record.slot === one.slot) lines.push(record.line)
    }
    return { ...one, lines }
  } catch (error) {
    signal.throwIfAborted()
    if (!isFault(error)) throw error
    return { ...one, why: error.message }
  }
}
