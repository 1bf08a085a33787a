/** Somebody who keeps asking, a new connection each time, and counts what failed. */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Witness = {
  /** What was answered last. */
  heard(): string
  /** Since the last time it was asked for this. */
  takeFailed(): number
  stop(): Promise<void>
}

const askers = 4
/** Between an answer and the next question: a user of a site, and not a storm that starves both sides of two cores. */
const breathMs = 10
const patienceMs = 5_000

export function witness(place: { readonly port: number; readonly host: string }): Witness {
  let isOver = false
  let failed = 0
  let last = ''
  const one = async (): Promise<void> => {
    while (!isOver) {
      try {
        last = await ask(place)
      } catch {
        // Whatever became of it, it was not an answer: that is what is counted here.
        failed += 1
      }
      await sleep(breathMs)
    }
  }
  const running = Promise.all(Array.from({ length: askers }, one))
  return {
    heard: () => last,
    takeFailed() {
      const taken = failed
      failed = 0
      return taken
    },
    async stop() {
      isOver = true
      await running
    },
  }
}

function ask({ port, host }: { readonly port: number; readonly host: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', headers: { host }, agent: false, timeout: patienceMs }
    const asked = request(options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.once('error', reject)
      response.once('end', () =>
        response.statusCode === 200 ? resolve(body.trim()) : reject(new Error(`${response.statusCode} ${body}`)),
      )
    })
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${patienceMs} ms`)))
    asked.once('error', reject)
    asked.end()
  })
}
