/** Durable writes over the whole API against raw rows, and against the same route without a store. */
import { startDriver, startServer } from './api/processes.ts'
import type { Bench } from './bench.ts'
import { openRaw, type RawSqlite } from './raw-sqlite.ts'
import { contest } from './rounds.ts'
import { nameOf, objectOf, tenant } from './store-load.ts'

const writesEach = 6000
const rawEach = 800

export const apiWrite: Bench = {
  name: 'api-write',
  about:
    'Authenticated, validated, audited, quota-checked and durable PUTs of new objects per second over 32 connections, ' +
    'against the raw rows of one writer with the same fsync mode, and against the same server with the store answered ' +
    'for: the whole way of a request but the reads, the quota, the change, audit and the commit. Each server is a ' +
    'process, and so is who asks; no controllers run.',
  unit: 'writes/s',
  better: 'higher',
  async run(context) {
    const api = await startServer('ours', context)
    const storeless = await startServer('storeless', context)
    const raw = await openRaw()
    const driver = startDriver(context)
    let at = 0
    const next = (count: number): number => {
      at += count
      return at - count
    }
    const write = ({ address, token }: typeof api): Promise<number> => {
      const count = writesEach
      return driver.drive({ address, token, what: 'write', from: next(count), within: count, count })
    }
    const ours = () => write(api)
    try {
      return [
        await contest(context, {
          case: 'against raw SQLite',
          better: 'higher',
          ours,
          peer: {
            name: 'one writer of raw prepared SQLite statements',
            run: () => writeRaw(raw, next(rawEach)),
          },
          reach: 1,
        }),
        await contest(context, {
          case: 'against the route without the store',
          better: 'higher',
          ours,
          peer: { name: 'the same server with the store answered for', run: () => write(storeless) },
          reach: 0.6,
        }),
      ]
    } finally {
      await raw.close()
      await Promise.all([driver, storeless, api].map((part) => part.close()))
    }
  },
}

function writeRaw(raw: RawSqlite, from: number): number {
  const start = performance.now()
  for (let at = from; at < from + rawEach; at += 1) {
    raw.write(objectOf(at), at, { actor: 'bench', action: 'workload.put', tenant, target: nameOf(at) })
  }
  return (rawEach / (performance.now() - start)) * 1000
}
