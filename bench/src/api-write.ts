/** Durable writes over the whole API against raw rows, and against the same route without a store. */
import { drive, openApi } from './api-load.ts'
import { openPeer, writeOf } from './api-peer.ts'
import type { Bench } from './bench.ts'
import { openRaw } from './raw-sqlite.ts'
import { contest } from './rounds.ts'
import { nameOf, objectOf, tenant } from './store-load.ts'

const writesEach = 2000
const rawEach = 400

export const apiWrite: Bench = {
  name: 'api-write',
  about:
    'Authenticated, validated, audited, quota-checked and durable PUTs per second over 32 connections, against the raw ' +
    'rows of one writer with the same fsync mode, and against the same route without anything behind it.',
  unit: 'writes/s',
  better: 'higher',
  async run(context) {
    const api = await openApi(context)
    const raw = await openRaw()
    const bare = await openPeer()
    let at = 0
    const next = (): number => {
      at += 1
      return at
    }
    const ours = () => drive(api.address, api.token, writesEach, () => writeOf(next()))
    try {
      return [
        await contest(context, {
          case: 'against raw SQLite',
          better: 'higher',
          ours,
          peer: {
            name: 'one writer of raw prepared SQLite statements',
            run: () => {
              const start = performance.now()
              for (let n = 0; n < rawEach; n += 1) {
                const one = next()
                raw.write(objectOf(one), one, { actor: 'bench', action: 'workload.put', tenant, target: nameOf(one) })
              }
              return (rawEach / (performance.now() - start)) * 1000
            },
          },
          reach: 1,
        }),
        await contest(context, {
          case: 'against the route alone',
          better: 'higher',
          ours,
          peer: {
            name: 'fastify without identity, checks and store',
            run: () => drive(bare.address, api.token, writesEach, () => writeOf(next())),
          },
          reach: 0.6,
        }),
      ]
    } finally {
      await bare.close()
      await raw.close()
      await api.close()
    }
  },
}
