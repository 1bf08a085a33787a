/** A thousand watchers over a thousand sockets: `node watchers.js ADDRESS TOKEN COUNT`. */
import { Agent, get } from 'node:http'
import { tenant } from '../store-load.ts'
import { type FromWatchers, sharedNow, type ToWatchers } from './messages.ts'

const [address = '', token = '', count = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
let seen: number[] = []
let awaited = 0

function tell(message: FromWatchers): void {
  process.send?.(message)
}

/** Resolves with the first event, which says that the watch has begun. */
function watch(): Promise<void> {
  return new Promise((resolve, reject) => {
    const url = `${address}/v1/tenants/${tenant}/workloads?watch=true`
    const sent = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a watch was answered with ${answer.statusCode}`))
      let rest = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        const events = (rest + chunk).split('\n\n')
        rest = events.pop() ?? ''
        if (events.length > 0) resolve()
        for (const event of events) note(event)
      })
      answer.once('end', () => fail(new Error('a watch ended before the bench did')))
    })
    sent.once('error', reject)
  })
}

function note(event: string): void {
  if (!event.includes(`"generation":${awaited},`)) return
  seen.push(sharedNow())
  if (seen.length < Number(count)) return
  tell({ type: 'seen', generation: awaited, at: seen })
  seen = []
}

function fail(error: Error): void {
  if (process.connected) throw error
}

process.on('message', ({ generation }: ToWatchers) => {
  awaited = generation
})
process.once('disconnect', () => process.exit())
// A hundred at a time: the queue of connections that are not accepted yet has an end.
for (let left = Number(count); left > 0; left -= 100)
  await Promise.all(Array.from({ length: Math.min(100, left) }, watch))
tell({ type: 'watching' })
