/** Requests through the edge that never stop, and what became of each: the witness of "not one failed". */
import { Agent, type IncomingMessage, request } from 'node:http'

export type Failure = { readonly at: number; readonly what: string }

export type LoadReport = {
  readonly answered: number
  readonly failures: readonly Failure[]
  /** How many answers each body got: which release, which replica. */
  readonly bodies: ReadonlyMap<string, number>
}

export type Load = {
  /** So far. */
  report(): LoadReport
  /** Ends when every connection has its last answer. */
  stop(): Promise<LoadReport>
}

export type LoadOptions = {
  readonly port: number
  readonly host: string
  /** Left out: this machine. */
  readonly address?: string
  readonly path?: string
  /** Connections that are busy at any time. */
  readonly connections?: number
  readonly method?: string
  /** Between two requests of a connection, so that the rest of a small machine gets its turn. Left out: none. */
  readonly breathMs?: number
  /**
   * A new connection for every request: for what shares out connections and not requests, where one
   * that is kept stays with whom it had, until that one goes.
   */
  readonly fresh?: boolean
}

const answerWithinMs = 30_000

export function keepBusy(options: LoadOptions): Load {
  const { port, host, address = '127.0.0.1', path = '/', connections = 32, method = 'GET', fresh = false } = options
  const { breathMs = 0 } = options
  const agent = fresh ? false : new Agent({ keepAlive: true, maxSockets: connections })
  const failures: Failure[] = []
  const bodies = new Map<string, number>()
  let answered = 0
  let isOver = false

  const one = async (): Promise<void> => {
    while (!isOver) {
      try {
        const { status, body } = await ask()
        if (status >= 200 && status < 300) {
          answered += 1
          bodies.set(body, (bodies.get(body) ?? 0) + 1)
          if (breathMs > 0) await new Promise((resolve) => setTimeout(resolve, breathMs))
        } else {
          failures.push({ at: Date.now(), what: `${status} ${body.slice(0, 300)}` })
        }
      } catch (error) {
        failures.push({ at: Date.now(), what: error instanceof Error ? error.message : String(error) })
        // A port that refuses does so at once: without a breath this would be a loop of refusals.
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  function ask(): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { agent, port, host: address, path, method, headers: { host }, timeout: answerWithinMs },
        (response) => bodyOf(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject),
      )
      sent.once('timeout', () => sent.destroy(new Error(`no answer within ${answerWithinMs} ms`)))
      sent.once('error', reject)
      sent.end()
    })
  }

  const running = Promise.all(Array.from({ length: connections }, one))
  const report = (): LoadReport => ({ answered, failures: [...failures], bodies: new Map(bodies) })
  return {
    report,
    async stop() {
      isOver = true
      await running
      if (agent) agent.destroy()
      return report()
    },
  }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let body = ''
  response.setEncoding('utf8')
  for await (const part of response) body += part as string
  return body.trim()
}
