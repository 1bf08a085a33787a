/** A whole control plane on a database on disk, and workloads written to it as fast as they are taken. */
import { Fault, type GantryObject, kinds, type ObjectKey } from '@gantry/core'
import { type Store, systemScope } from '@gantry/store'
import { type Fleet, timed } from '../growth/round.ts'
import { wholePlane } from '../whole-plane.ts'

const scope = systemScope()
const tenants = 10

export async function openFleet(signal: AbortSignal): Promise<Fleet> {
  let opened: Store | undefined
  const { plane, close } = wholePlane((store) => {
    opened = store
  })
  await plane.start({ signal })
  const store = opened
  if (!store) throw new Fault('unexpected', 'The control plane has opened no store')
  await store.write(
    scope,
    [...names(tenants, 'team-').map((name) => create('Tenant', { name }, {})), provider],
    {},
    { signal },
  )
  return {
    converge: (count) => timed(allReady(store, count, signal), () => createAll(store, count, signal)),
    close,
  }
}

const provider = create('Provider', { name: 'simulated' }, { type: 'simulated', tenants: ['*'] })

/** Counts from 0. */
function names(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${at}`)
}

function create(kind: 'Tenant' | 'Provider' | 'Workload', metadata: { name: string; tenant?: string }, spec: object) {
  const parsed = kinds[kind].parse({ apiVersion: 'gantry/v1', kind, metadata, spec })
  const key: ObjectKey = { kind, ...metadata }
  return { op: 'create' as const, draft: { key, spec: parsed.spec } }
}

const spec = {
  provider: 'simulated',
  services: [{ name: 'main', image: 'probe:1' }],
  strategy: { minReadySeconds: 0 },
}

async function createAll(store: Store, count: number, signal: AbortSignal): Promise<void> {
  const batch = 250
  const writes: Promise<unknown>[] = []
  for (let from = 0; from < count; from += batch) {
    const some = names(count, 'web-').slice(from, from + batch)
    const commands = some.map((name, at) => create('Workload', { name, tenant: `team-${at % tenants}` }, spec))
    writes.push(store.write(scope, commands, {}, { signal }))
  }
  await Promise.all(writes)
}

/** By the store's own feed: ready is what a watcher reads, not what a controller believes. */
async function allReady(store: Store, count: number, signal: AbortSignal): Promise<void> {
  const ready = new Set<string>()
  for await (const change of store.changes(scope, { kind: 'Workload', since: 0 }, { signal })) {
    if (change.type === 'put' && isSettled(change.object)) ready.add(change.object.metadata.name)
    if (ready.size === count) return
  }
}

function isSettled({ status }: GantryObject): boolean {
  const is = (type: string, wanted: string): boolean =>
    status.conditions?.some((condition) => condition.type === type && condition.status === wanted) ?? false
  return is('Ready', 'True') && is('Progressing', 'False') && is('Degraded', 'False')
}
