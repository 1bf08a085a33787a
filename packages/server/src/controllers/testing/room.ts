/** A store in memory, a vault, a simulated engine behind a hub, all in virtual time: where controllers are tested. */
import {
  type Call,
  type Fault,
  type KindName,
  type ObjectKey,
  type ObjectOf,
  type Status,
  writtenKinds,
} from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import type { Engine } from '@gantry/providers'
import { SimulatedWorld, simulatedEngine } from '@gantry/providers/testing'
import type { Reconcile, Result } from '@gantry/reconcile'
import { openStore, type Store, systemScope } from '@gantry/store'
import type { EngineKeeper } from '../../engines/engine-keeper.ts'
import { openHub } from '../../engines/open-hub.ts'
import type { Happened } from '../../events/event.ts'
import { memoryKeys } from '../../vault/memory-keys.ts'
import { openVault } from '../../vault/open-vault.ts'
import type { Vault } from '../../vault/vault.ts'
import { ageFieldsOf } from '../age-fields.ts'
import type { ControllerDeps } from '../deps.ts'

export const call: Call = { signal: new AbortController().signal }
export const scope = systemScope()
export const installation = 'ours'

export type Room = {
  readonly clock: VirtualClock
  readonly store: Store
  readonly vault: Vault
  readonly world: SimulatedWorld
  readonly engine: Engine
  readonly deps: ControllerDeps & { readonly hub: EngineKeeper }
  readonly events: (Happened & { readonly of: string })[]
  readonly troubles: Fault[]
  /** Runs one key once, as a controller would. */
  run(reconcile: Reconcile, key: ObjectKey): Promise<Result>
  /** Written as the API would. */
  apply(kind: keyof typeof writtenKinds, name: string, spec: unknown): Promise<void>
  read<Kind extends KindName>(kind: Kind, name: string): Promise<ObjectOf<Kind> | undefined>
  setStatus(kind: KindName, name: string, status: Status): Promise<void>
  close(): Promise<void>
}

const systemKinds: ReadonlySet<string> = new Set(['Provider', 'Tenant'])

export function keyOf(kind: string, name: string): ObjectKey {
  return systemKinds.has(kind) ? { kind, name } : { kind, tenant: 'shop', name }
}

export async function openRoom(): Promise<Room> {
  const clock = new VirtualClock()
  let id = 0
  const ids = (): string => {
    id += 1
    return `id-${id}`
  }
  const store = await openStore({ database: 'sqlite::memory:', clock, ids, ageFields: ageFieldsOf }, call)
  const vault = await openVault({ store, scope, keys: memoryKeys(), clock }, call)
  const world = new SimulatedWorld(clock)
  const engine = simulatedEngine(world, installation)
  const hub = openHub(clock)
  const events: Room['events'] = []
  const troubles: Fault[] = []
  const deps = {
    store,
    scope,
    clock,
    random: () => 0,
    hub,
    vault,
    installation,
    events: { record: (of, happened) => void events.push({ ...happened, of: `${of.kind} ${of.metadata.name}` }) },
    onTrouble: (fault) => void troubles.push(fault),
  } satisfies ControllerDeps
  const room: Room = {
    clock,
    store,
    vault,
    world,
    engine,
    deps,
    events,
    troubles,
    run: (reconcile, key) => reconcile(key, { ...call, fence: 0n, waitedMs: 0, stuckAfterMs: 600_000 }),
    async apply(kind, name, spec) {
      const metadata = { name, ...(systemKinds.has(kind) ? {} : { tenant: 'shop' }) }
      const parsed = writtenKinds[kind].parse({ apiVersion: 'gantry/v1', kind, metadata, spec })
      const draft = { key: keyOf(kind, name), spec: parsed.spec }
      await store.write(scope, [{ op: 'replace', draft, ifAbsent: 'create' }], {}, call)
    },
    read: async <Kind extends KindName>(kind: Kind, name: string) =>
      (await store.read(scope, keyOf(kind, name), call)) as ObjectOf<Kind> | undefined,
    async setStatus(kind, name, status) {
      const object = await store.read(scope, keyOf(kind, name), call)
      if (!object) throw new Error(`there is no ${kind} ${name}`)
      const { resourceVersion } = object.metadata
      const command = { op: 'status', key: keyOf(kind, name), status, ifVersion: resourceVersion } as const
      await store.write(scope, [command], {}, call)
    },
    async close() {
      await hub.close(call)
      await store.close()
    },
  }
  await room.apply('Tenant', 'shop', {})
  return room
}
