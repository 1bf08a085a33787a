/** One request through the edge; `fetch` does not let anybody choose the host. */
import { type IncomingMessage, request } from 'node:http'

export async function askEdge(port: number, workload: string, path = '/'): Promise<string> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: `${workload}.default.localhost` }
    const sent = request({ port, host: '127.0.0.1', path, headers, agent: false, timeout: 10_000 }, resolve)
    sent.once('timeout', () => sent.destroy(new Error('the edge does not answer')))
    sent.once('error', reject)
    sent.end()
  })
  let body = ''
  response.setEncoding('utf8')
  for await (const part of response) body += part as string
  return body.trim()
}
