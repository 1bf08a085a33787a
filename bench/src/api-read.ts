/** Reads of one object over the whole API against the same route without anything behind it. */
import { drive, openApi } from './api-load.ts'
import { openPeer, readOf, writeOf } from './api-peer.ts'
import type { Bench } from './bench.ts'
import { contest } from './rounds.ts'

const readsEach = 5000
const objects = 100

export const apiRead: Bench = {
  name: 'api-read',
  about:
    'Authenticated GETs of one object per second over 32 connections, against the same route without identity and store.',
  unit: 'reads/s',
  better: 'higher',
  async run(context) {
    const api = await openApi(context)
    const bare = await openPeer()
    let at = 0
    const next = (): number => {
      at = (at + 1) % objects
      return at
    }
    try {
      await drive(api.address, api.token, objects, () => writeOf(next()))
      return [
        await contest(context, {
          case: '32 connections',
          better: 'higher',
          ours: () => drive(api.address, api.token, readsEach, () => readOf(next())),
          peer: {
            name: 'fastify without identity and store',
            run: () => drive(bare.address, api.token, readsEach, () => readOf(next())),
          },
          reach: 0.5,
        }),
      ]
    } finally {
      await bare.close()
      await api.close()
    }
  },
}
