/** The process that asks: told how often and what, it answers how many answers a second it has read. */
import { openConnection } from './connection.ts'
import { readOf, requestText, writeOf } from './requests.ts'

export type Order = {
  readonly address: string
  readonly token: string
  readonly what: 'read' | 'write'
  /** Of the first object; each request is about the next one, beginning again after `within`. */
  readonly from: number
  readonly within: number
  readonly count: number
}

export type Driven = { readonly perSecond: number } | { readonly error: string }

const connections = 32

async function drive({ address, token, what, from, within, count }: Order): Promise<number> {
  const { hostname, port } = new URL(address)
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(hostname, Number(port))))
  const askOf = what === 'read' ? readOf : writeOf
  // Made before the clock starts: the making is not what is measured.
  const texts = Array.from({ length: count }, (_, at) => requestText(askOf(from + (at % within)), token))
  let next = 0
  const start = performance.now()
  await Promise.all(
    open.map(async (connection) => {
      while (next < count) {
        const text = texts[next] ?? ''
        next += 1
        const status = await connection.ask(text)
        if (status >= 300) throw new Error(`answered with ${status}: ${text.slice(0, 80)}`)
      }
    }),
  )
  const taken = performance.now() - start
  for (const connection of open) connection.close()
  return (count / taken) * 1000
}

process.on('message', async (order: Order) => {
  const said = await drive(order).then(
    (perSecond): Driven => ({ perSecond }),
    (error: unknown): Driven => ({ error: String(error) }),
  )
  process.send?.(said)
})
