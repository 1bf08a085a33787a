/** A server that can be gone from one moment to the next: from then on nothing it asked for is begun, and it hears no answer. */
import { type Call, orAbort } from '@gantry/core'
import type { Engine, Observation } from '@gantry/providers'
import { overlay } from '@gantry/providers/testing'
import type { Store } from '@gantry/store'

export class Life {
  isOver = false
}

const never = <T>(call: Call): Promise<T> => orAbort(new Promise<never>(() => undefined), call)

function mortalCall(life: Life) {
  return async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    if (life.isOver) return await never(call)
    const outcome = await work().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if (life.isOver) return await never(call)
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}

/** Counts what is under way, so that a test knows when nothing is. */
export type Busy = { running: number; calls: number }

export function mortalStore(store: Store, life: Life, busy: Busy): Store {
  const through = mortalCall(life)
  const counted = async <T>(call: Call, work: () => Promise<T>): Promise<T> =>
    await through(call, async () => {
      busy.running += 1
      busy.calls += 1
      try {
        return await work()
      } finally {
        busy.running -= 1
      }
    })
  return {
    read: (scope, key, call) => counted(call, () => store.read(scope, key, call)),
    list: (scope, query, call) => counted(call, () => store.list(scope, query, call)),
    write: (scope, commands, context, call) => counted(call, () => store.write(scope, commands, context, call)),
    async *changes(scope, query, call) {
      for await (const change of store.changes(scope, query, call)) {
        if (life.isOver) await never(call)
        busy.calls += 1
        yield change
      }
    },
    usage: (scope, tenant, call) => counted(call, () => store.usage(scope, tenant, call)),
    audit: (scope, query, call) => counted(call, () => store.audit(scope, query, call)),
    verifyAudit: (scope, call) => counted(call, () => store.verifyAudit(scope, call)),
    compact: (scope, request, call) => counted(call, () => store.compact(scope, request, call)),
    snapshot: (scope, call) => store.snapshot(scope, call),
    leases: (scope) => store.leases(scope),
    close: () => store.close(),
  }
}

export function mortalEngine(engine: Engine, life: Life): Engine {
  const through = mortalCall(life)
  async function* observe(call: Call): AsyncIterable<Observation> {
    for await (const seen of engine.observe(call)) {
      if (life.isOver) await never(call)
      yield seen
    }
  }
  const { resolveImage } = engine
  return overlay(engine, {
    observe,
    info: (call) => through(call, () => engine.info(call)),
    converge: (desired, call) => through(call, () => engine.converge(desired, call)),
    remove: (ref, options, call) => through(call, () => engine.remove(ref, options, call)),
    look: (ref, call) => through(call, () => engine.look(ref, call)),
    ...(resolveImage && {
      resolveImage: (wanted, call) => through(call, () => resolveImage.call(engine, wanted, call)),
    }),
  })
}
