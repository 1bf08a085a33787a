/** Reads of one object over the whole API against the same route without anything behind it. */
import { startDriver, startServer } from './api/processes.ts'
import type { Bench } from './bench.ts'
import { contest } from './rounds.ts'

const readsEach = 20_000
const objects = 100

export const apiRead: Bench = {
  name: 'api-read',
  about:
    'Authenticated GETs of one object per second over 32 connections, against the same fastify route without identity ' +
    'and store, which answers with an object that it has at hand. Each server is a process, and so is who asks.',
  unit: 'reads/s',
  better: 'higher',
  async run(context) {
    const api = await startServer('ours', context)
    const bare = await startServer('bare', context)
    const driver = startDriver(context)
    const order = { from: 0, within: objects, count: readsEach } as const
    try {
      await driver.drive({ ...api, ...order, what: 'write', count: objects })
      return [
        await contest(context, {
          case: '32 connections',
          better: 'higher',
          ours: () => driver.drive({ ...api, ...order, what: 'read' }),
          peer: {
            name: 'fastify without identity and store',
            run: () => driver.drive({ ...bare, ...order, what: 'read' }),
          },
          reach: 0.5,
        }),
      ]
    } finally {
      await Promise.all([driver, bare, api].map((part) => part.close()))
    }
  },
}
