/** Clients for tests: one that speaks HTTP, and one that says exactly what it is told to. */
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { testHost } from './tables.ts'

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }

export type Ask = RequestOptions & { readonly body?: string | Buffer; readonly to?: string }

export function ask(port: number, path = '/', { body, to = testHost, ...more }: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { headers, ...options } = more
    const given = { host: to, ...(headers as Record<string, string>) }
    const sent = request({ host: '127.0.0.1', port, path, agent: false, ...options, headers: given }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Connections that are used again, as a browser's are. */
export const keepAliveAgent = (connections: number): Agent => new Agent({ keepAlive: true, maxSockets: connections })

/** Sends these bytes and gives all that comes back until the edge closes, or until `enough` says so. */
export function sayRaw(port: number, text: string, enough: (heard: string) => boolean = () => false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(text, 'latin1'))
    socket.on('data', (chunk: string) => {
      heard += chunk
      if (enough(heard)) socket.destroy()
    })
    socket.on('error', (error) => (heard === '' ? reject(error) : resolve(heard)))
    socket.on('close', () => resolve(heard))
  })
}
