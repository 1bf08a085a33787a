/** Any question and any answer, over node:http or node:https, which keep connections for the next one. */
import { type IncomingMessage, request as plain } from 'node:http'
import type { Answered, Fetch } from '@gantry/api'

export const httpFetch: Fetch = async (url, { method, headers, signal, body }) => {
  const request = url.startsWith('https:') ? (await import('node:https')).request : plain
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        method,
        signal,
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      },
      (answer) => resolve(answered(answer)),
    )
    asked.once('error', reject)
    asked.end(body)
  })
}

function answered(message: IncomingMessage): Answered {
  const all = async (): Promise<Buffer> => {
    const parts: Buffer[] = []
    for await (const part of message) parts.push(part as Buffer)
    return Buffer.concat(parts)
  }
  return {
    status: message.statusCode ?? 0,
    headers: {
      get(name) {
        const value = message.headers[name.toLowerCase()]
        return value === undefined ? null : String(value)
      },
    },
    body: {
      getReader() {
        const parts = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>
        return {
          async read() {
            const { done, value } = await parts.next()
            return done ? { done: true } : { done: false, value }
          },
        }
      },
    },
    text: async () => (await all()).toString('utf8'),
    async arrayBuffer() {
      const { buffer, byteOffset, byteLength } = await all()
      return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
    },
  }
}
