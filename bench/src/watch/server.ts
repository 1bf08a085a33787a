/** A server in a process of its own, so that what it holds in memory is the server's and nobody else's. */
import { Session } from 'node:inspector/promises'
import { openApi } from '../api-load.ts'
import type { FromServer, ToServer } from './messages.ts'

const stop = new AbortController()
const api = await openApi(stop)

function tell(message: FromServer): void {
  process.send?.(message)
}

/**
 * After collecting as the server itself does when it rests, which also gives the empty pages of the young generation back.
 * Twice, with a turn of the loop in between: what a first collection finalizes, the second one frees.
 */
async function resident(): Promise<number> {
  const session = new Session()
  session.connect()
  for (let round = 0; round < 2; round += 1) {
    await session.post('HeapProfiler.collectGarbage')
    await new Promise((resolve) => setImmediate(resolve))
  }
  session.disconnect()
  return process.memoryUsage.rss()
}

process.on('message', (message: ToServer) => {
  if (message.type === 'measure') void resident().then((bytes) => tell({ type: 'memory', bytes }))
})
// Whoever measures is gone: so is the reason to run.
process.once('disconnect', () => void api.close())
tell({ type: 'listening', address: api.address, token: api.token })
