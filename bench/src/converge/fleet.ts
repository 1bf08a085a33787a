/** A test kind on the simulated engine: a store on disk, one controller, real time. As little as can converge. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GantryObject, type ObjectKey, systemClock } from '@gantry/core'
import type { Engine } from '@gantry/providers'
import { SimulatedWorld, simulatedEngine } from '@gantry/providers/simulated'
import { Controller, conditionsFor, done, type Reconcile, waiting } from '@gantry/reconcile'
import { openStore, type Store, sourceOf, systemScope } from '@gantry/store'
import { type Fleet, timed } from '../growth/round.ts'
import { desiredFor } from './desired.ts'

const kind = 'Probe'
const installation = 'bench'
const scope = systemScope()

export async function openFleet(signal: AbortSignal): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-converge-'))
  const store = await openStore({ database: `sqlite:${join(folder, 'gantry.db')}` }, { signal })
  const engine = simulatedEngine(new SimulatedWorld(systemClock), installation)
  const controller = new Controller({
    name: 'probe',
    kind,
    source: sourceOf(store, scope, kind),
    reconcile: reconcileProbe(store, engine),
    clock: systemClock,
    random: Math.random,
    workers: 32,
    onTrouble: (fault) => process.stderr.write(`${fault.message} ${fault.detail ?? ''}\n`),
  })
  const stop = new AbortController()
  const followed = wakeOnChange(engine, controller, stop.signal)
  controller.start()
  return {
    converge: (count) => timed(allReady(store, count, signal), () => createAll(store, count, signal)),
    async close() {
      stop.abort()
      await followed
      await controller.stop({ deadlineMs: 10_000 }, { signal })
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Level-triggered: what the engine tells costs a look, and losing it would cost only time. */
async function wakeOnChange(engine: Engine, controller: Controller, signal: AbortSignal): Promise<void> {
  try {
    for await (const seen of engine.observe({ signal })) {
      if (seen.type === 'changed') controller.add(keyOf(seen.instance.ref.workload), seen.instance.ref.uid)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function reconcileProbe(store: Store, engine: Engine): Reconcile {
  return async (key, run) => {
    const object = await store.read(scope, key, run)
    if (!object) return done()
    const pass = await engine.converge(desiredFor(object, installation), run)
    const result = pass.state === 'done' ? done() : waiting('engine', pass.reason, { retryAfterMs: pass.afterMs })
    const conditions = conditionsFor(result, object.status.conditions ?? [], { now: systemClock.now() })
    const status = { observedGeneration: object.metadata.generation, conditions }
    await store.write(scope, [{ op: 'status', key, status, ifVersion: object.metadata.resourceVersion }], {}, run)
    return result
  }
}

async function createAll(store: Store, count: number, signal: AbortSignal): Promise<void> {
  const batch = 250
  const writes: Promise<unknown>[] = []
  for (let from = 0; from < count; from += batch) {
    const names = Array.from({ length: Math.min(batch, count - from) }, (_, at) => `probe-${from + at}`)
    const commands = names.map((name) => ({
      op: 'create' as const,
      draft: { key: keyOf(name), spec: { replicas: 1 } },
    }))
    writes.push(store.write(scope, commands, {}, { signal }))
  }
  await Promise.all(writes)
}

/** By the store's own feed: ready is what a watcher reads, not what the controller believes. */
async function allReady(store: Store, count: number, signal: AbortSignal): Promise<void> {
  const ready = new Set<string>()
  for await (const change of store.changes(scope, { kind, since: 0 }, { signal })) {
    if (change.type === 'put' && isReady(change.object)) ready.add(change.object.metadata.name)
    if (ready.size === count) return
  }
}

function isReady({ status }: GantryObject): boolean {
  return status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

function keyOf(name: string): ObjectKey {
  return { kind, tenant: `tenant-${name.length}`, name }
}
