/** Pages of objects through the store against raw SQL, and whether they stay as fast when there are a hundred times more. */
import type { Call } from '@gantry/core'
import type { Store } from '@gantry/store'
import type { Bench, BenchContext, Row } from './bench.ts'
import { openRaw, type RawSqlite } from './raw-sqlite.ts'
import { contest } from './rounds.ts'
import { kind, nameOf, objectOf, openBenchStore, specOf, tenant } from './store-load.ts'

const pageSize = 500
const pagesEach = 20

export const storeList: Bench = {
  name: 'store-list',
  about:
    'Pages of 500 parsed objects per second through the store, out of 1,000 and out of 100,000, against the same page ' +
    'from raw SQL; and what is left of the speed when there are a hundred times as many.',
  unit: 'pages/s',
  better: 'higher',
  async run(context) {
    const few = await openSide(1_000, context)
    const many = await openSide(100_000, context)
    try {
      return [
        await againstRaw(few, context),
        await againstRaw(many, context),
        await contest(context, {
          case: 'out of 100000, against out of 1000',
          better: 'higher',
          ours: () => pageOurs(many, context),
          peer: { name: 'the store with 1000 objects', run: () => pageOurs(few, context) },
          reach: 0.8,
        }),
      ]
    } finally {
      for (const side of [few, many]) await side.close()
    }
  },
}

type Side = {
  readonly size: number
  readonly store: Store
  readonly raw: RawSqlite
  readonly close: () => Promise<void>
}

async function openSide(size: number, context: BenchContext): Promise<Side> {
  context.say(`making ${size} objects`)
  const { store, close } = await openBenchStore(context)
  const raw = await openRaw()
  await fillStore(store, size, context)
  raw.fill(Array.from({ length: size }, (_, at) => objectOf(at)))
  return { size, store, raw, close: () => raw.close().finally(close) }
}

function againstRaw(side: Side, context: BenchContext): Promise<Row> {
  return contest(context, {
    case: `page of ${pageSize} out of ${side.size}`,
    better: 'higher',
    ours: () => pageOurs(side, context),
    peer: { name: 'raw SQL', run: () => pageRaw(side) },
    reach: 0.5,
  })
}

async function fillStore(store: Store, size: number, call: Call): Promise<void> {
  for (let from = 0; from < size; from += 1000) {
    const commands = Array.from({ length: Math.min(1000, size - from) }, (_, n) => {
      const draft = { key: { kind, tenant, name: nameOf(from + n) }, spec: specOf(from + n) }
      return { op: 'create', draft } as const
    })
    await store.write({ tenant }, commands, {}, call)
  }
}

/** A page from the middle, reached as a caller reaches it: by the token of the page before. */
async function pageOurs({ store, size }: Side, call: Call): Promise<number> {
  const first = await store.list({ tenant }, { kind, limit: size === 1_000 ? pageSize - 1 : 5000 }, call)
  const token = first.continue
  if (token === undefined) throw new Error('the list has only one page')
  const start = performance.now()
  for (let n = 0; n < pagesEach; n += 1) {
    const { items } = await store.list({ tenant }, { kind, limit: pageSize, continue: token }, call)
    if (items.length !== pageSize) throw new Error(`a page of ${items.length}`)
  }
  return (pagesEach / (performance.now() - start)) * 1000
}

function pageRaw({ raw, size }: Side): number {
  const after = nameOf(size === 1_000 ? pageSize - 2 : 4999)
  const start = performance.now()
  for (let n = 0; n < pagesEach; n += 1) {
    if (raw.page(kind, tenant, after, pageSize).length !== pageSize) throw new Error('a short page')
  }
  return (pagesEach / (performance.now() - start)) * 1000
}
