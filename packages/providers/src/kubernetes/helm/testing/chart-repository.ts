/** A repository of charts over http, as the simplest of them are: an index, and archives beside it. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type StoredChart = { readonly name: string; readonly version: string; readonly content: Uint8Array }

export type ChartRepository = {
  readonly url: string
  /** Of every question that came: method, path, and whether it was signed in. */
  readonly asked: readonly string[]
  put(chart: StoredChart): void
  end(): Promise<void>
}

/** With an account, nobody else is answered. */
export async function chartRepository(account?: {
  readonly username: string
  readonly password: string
}): Promise<ChartRepository> {
  const charts: StoredChart[] = []
  const asked: string[] = []
  const wanted = account && `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`
  const server = createServer((question, answer) => {
    const isKnown = wanted === undefined || question.headers.authorization === wanted
    asked.push(`${question.method} ${question.url}${isKnown ? '' : ' (unknown)'}`)
    if (!isKnown) return answer.writeHead(401).end('who are you?')
    if (question.url === '/index.yaml') return answer.end(indexOf(charts))
    const chart = charts.find((each) => question.url === `/${fileOf(each)}`)
    return chart ? answer.end(chart.content) : answer.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    put: (chart) => charts.push(chart),
    end: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const fileOf = ({ name, version }: StoredChart): string => `${name}-${version}.tgz`

function indexOf(charts: readonly StoredChart[]): string {
  const entries: Record<string, object[]> = {}
  for (const chart of charts) {
    const digest = createHash('sha256').update(chart.content).digest('hex')
    const entry = { apiVersion: 'v2', name: chart.name, version: chart.version, digest, urls: [fileOf(chart)] }
    entries[chart.name] = [...(entries[chart.name] ?? []), entry]
  }
  // JSON is YAML.
  return JSON.stringify({ apiVersion: 'v1', entries, generated: '2026-11-17T00:00:00Z' })
}
