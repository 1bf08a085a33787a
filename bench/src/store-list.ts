/** Pages of objects through the store against raw SQL, and whether they stay as fast when there are a hundred times more. */
import type { Call } from '@gantry/core'
import type { Store } from '@gantry/store'
import type { Bench, Row } from './bench.ts'
import { openRaw, type RawSqlite } from './raw-sqlite.ts'
import { contest, limited } from './rounds.ts'
import { kind, nameOf, objectOf, openBenchStore, specOf, tenant } from './store-load.ts'

const sizes = [1_000, 100_000]
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
    const rows: Row[] = []
    const speeds: number[][] = []
    for (const size of sizes) {
      context.say(`making ${size} objects`)
      const { store, close } = await openBenchStore(context)
      const raw = await openRaw()
      const figures: number[] = []
      speeds.push(figures)
      try {
        await fillStore(store, size, context)
        raw.fill(Array.from({ length: size }, (_, at) => objectOf(at)))
        rows.push(
          await contest(context, {
            case: `page of ${pageSize} out of ${size}`,
            better: 'higher',
            ours: async () => {
              const figure = await pageOurs(store, size, context)
              figures.push(figure)
              return figure
            },
            peer: { name: 'raw SQL', run: () => pageRaw(raw, size) },
            reach: 0.5,
          }),
        )
      } finally {
        await raw.close()
        await close()
      }
    }
    const [few = [], many = []] = speeds
    const kept = many.slice(1).map((speed, round) => speed / (few[round + 1] ?? Number.NaN))
    return [...rows, limited('share of the speed left with a hundred times the objects', 'higher', kept, 0.8)]
  },
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
async function pageOurs(store: Store, size: number, call: Call): Promise<number> {
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

function pageRaw(raw: RawSqlite, size: number): number {
  const after = nameOf(size === 1_000 ? pageSize - 2 : 4999)
  const start = performance.now()
  for (let n = 0; n < pagesEach; n += 1) {
    if (raw.page(kind, tenant, after, pageSize).length !== pageSize) throw new Error('a short page')
  }
  return (pagesEach / (performance.now() - start)) * 1000
}
