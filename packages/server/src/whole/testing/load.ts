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
  readonly path?: string
  /** Connections that are busy at any time. */
  readonly connections?: number
  readonly method?: string
}

const answerWithinMs = 30_000

export function keepBusy({ port, host, path = '/', connections = 32, method = 'GET' }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
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
        { agent, port, host: '127.0.0.1', path, method, headers: { host }, timeout: answerWithinMs },
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
      agent.destroy()
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
