/** Durable writes through the whole store against the bare rows. */
import type { Call } from '@gantry/core'
import type { Store } from '@gantry/store'
import type { Bench } from './bench.ts'
import { openRaw, type RawSqlite } from './raw-sqlite.ts'
import { contest } from './rounds.ts'
import { kind, nameOf, objectOf, openBenchStore, specOf, tenant } from './store-load.ts'

const writesEach = 400
const warmUpTurns = 4
const peerName = 'one writer of raw prepared SQLite statements'

export const storeWrite: Bench = {
  name: 'store-write',
  about:
    'Durable writes per second of object, change and audit entry through the whole store, against the same three rows ' +
    'by raw prepared statements in one transaction each, with the same fsync mode. The raw object and change rows each ' +
    'hold the body; the store keeps it once, in the change.',
  unit: 'writes/s',
  better: 'higher',
  async run(context) {
    const { store, close } = await openBenchStore(context)
    const raw = await openRaw()
    let written = 0
    const next = (): number => {
      written += 1
      return written
    }
    const peer = { name: peerName, run: () => writeRaw(raw, next) }
    // A control plane runs for weeks: what is measured is compiled code, on both sides.
    for (let turn = 0; turn < warmUpTurns; turn += 1) {
      await writeOurs(store, 32, next, context)
      writeRaw(raw, next)
    }
    try {
      return [
        await contest(context, {
          case: 'one writer',
          better: 'higher',
          ours: () => writeOurs(store, 1, next, context),
          peer,
          reach: 0.7,
        }),
        await contest(context, {
          case: '32 writers',
          better: 'higher',
          ours: () => writeOurs(store, 32, next, context),
          peer,
          reach: 4,
        }),
      ]
    } finally {
      await raw.close()
      await close()
    }
  },
}

const auditOf = (at: number) =>
  ({ actor: 'bench', action: 'create', outcome: 'done', tenant, target: { kind, tenant, name: nameOf(at) } }) as const

/** Made before the clock starts: what is measured is the writing. */
const specs = Array.from({ length: 64 }, (_, at) => specOf(at))

/** Every writer waits for its own answer before it writes again. */
async function writeOurs(store: Store, writers: number, next: () => number, call: Call): Promise<number> {
  const writes = writesEach * (writers === 1 ? 1 : 16)
  let left = writes
  const writer = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const at = next()
      const draft = { key: { kind, tenant, name: nameOf(at) }, spec: specs[at % specs.length] }
      await store.write({ tenant }, [{ op: 'create', draft }], { audit: auditOf(at) }, call)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: writers }, writer))
  return (writes / (performance.now() - start)) * 1000
}

function writeRaw(raw: RawSqlite, next: () => number): number {
  const start = performance.now()
  for (let n = 0; n < writesEach; n += 1) {
    const at = next()
    raw.write(objectOf(at, specs[at % specs.length]), at, { ...auditOf(at), at: new Date().toISOString() })
  }
  return (writesEach / (performance.now() - start)) * 1000
}
