/** The process that asks: as fast as it is answered, or at a fixed pace that does not slow down with the answers. */
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

export type Order = {
  readonly port: number
  readonly host: string
  readonly connections: number
  readonly count: number
  /** Requests a second; absent: the next one follows each answer. */
  readonly pace?: number
}

export type Driven =
  | { readonly perSecond: number; readonly p50: number; readonly p99: number }
  | { readonly error: string }

type Line = { readonly socket: Socket; ask(): Promise<void> }

async function drive({ port, host, connections, count, pace }: Order): Promise<Driven> {
  const text = Buffer.from(
    `GET /hello?x=1 HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: bench/1.0\r\nAccept: */*\r\nAccept-Encoding: gzip\r\nCookie: session=abcdefghijklmnop\r\n\r\n`,
  )
  const lines = await Promise.all(Array.from({ length: connections }, () => open(port, text)))
  const latencies: number[] = []
  let next = 0
  const start = performance.now()
  await Promise.all(
    lines.map(async ({ ask }) => {
      while (next < count) {
        const nth = next++
        // Counted from when it was due, so that a pause of the proxy counts for all that had to wait for it.
        const due = pace === undefined ? performance.now() : start + (nth / pace) * 1000
        await until(due)
        await ask()
        latencies.push(performance.now() - due)
      }
    }),
  )
  const taken = performance.now() - start
  for (const { socket } of lines) socket.destroy()
  latencies.sort((one, other) => one - other)
  const at = (part: number): number => latencies[Math.floor(latencies.length * part)] ?? Number.NaN
  return { perSecond: (count / taken) * 1000, p50: at(0.5), p99: at(0.99) }
}

/** Timers are too coarse for what is due within a millisecond. */
async function until(due: number): Promise<void> {
  const left = due - performance.now()
  if (left > 2) await new Promise((resolve) => setTimeout(resolve, left - 1))
  while (performance.now() < due) await new Promise((resolve) => setImmediate(resolve))
}

function open(port: number, text: Buffer): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let answered: (() => void) | undefined
    let failed: (error: Error) => void = reject
    let got = 0
    let whole = -1
    socket.on('error', (error) => failed(error))
    socket.on('close', () => failed(new Error('the connection was closed')))
    socket.on('data', (chunk: Buffer) => {
      if (whole < 0) whole = lengthOf(chunk)
      got += chunk.length
      if (Number.isNaN(whole)) failed(new Error(`answered with ${chunk.subarray(0, 60).toString('latin1')}`))
      else if (got >= whole) answered?.()
    })
    const ask = (): Promise<void> =>
      new Promise((done, fail) => {
        got = 0
        whole = -1
        answered = done
        failed = fail
        socket.write(text)
      })
    socket.once('connect', () => resolve({ socket, ask }))
  })
}

/** Of the whole answer, by its head, which comes in one piece; not a number if it is not a 200 with a length. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, Math.min(chunk.length, 2000))
  const end = head.indexOf('\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return head.startsWith('HTTP/1.1 200') && end !== -1 ? end + 4 + Number(length) : Number.NaN
}

process.on('message', async (order: Order) => {
  process.send?.(await drive(order).catch((error: unknown): Driven => ({ error: String(error) })))
})
process.on('disconnect', () => process.exit(0))
