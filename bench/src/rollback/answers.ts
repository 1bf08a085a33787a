/** Connections through the edge that are always busy, and when which release was last heard. */
import { Agent, request } from 'node:http'

export type Answers = {
  /** By the monotonic clock, when the last answer of anybody else came, once so many of this one have come after it. */
  onlyFrom(body: string, inARow: number, call: { readonly signal: AbortSignal }): Promise<number>
  stop(): Promise<void>
}

type Place = { readonly port: number; readonly host: string; readonly connections: number }

export function listen({ port, host, connections }: Place): Answers {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let isOver = false
  let failure: unknown
  let last = ''
  let count = 0
  let since = performance.now()
  let heard: () => void = () => undefined

  const one = async (): Promise<void> => {
    while (!isOver) {
      const body = await ask(agent, port, host)
      if (body === last) count += 1
      else {
        last = body
        count = 1
        since = performance.now()
      }
      heard()
    }
  }
  const lines = Array.from({ length: connections }, () =>
    one().catch((error: unknown) => {
      failure = error
      heard()
    }),
  )
  return {
    async onlyFrom(body, inARow, { signal }) {
      while (last !== body || count < inARow) {
        signal.throwIfAborted()
        if (failure !== undefined) throw failure
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
      return since
    },
    async stop() {
      isOver = true
      await Promise.all(lines)
      agent.destroy()
    },
  }
}

/** A request that fails is an error of the bench: nothing may be lost on the way back either. */
export function ask(agent: Agent, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, host: '127.0.0.1', headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => (body += text))
      response.once('error', reject)
      response.once('end', () =>
        response.statusCode === 200 ? resolve(body) : reject(new Error(`${response.statusCode} ${body}`)),
      )
    })
    asked.once('error', reject)
    asked.end()
  })
}
