/**
 * One question and one answer of plain HTTP on a connection of its own. Most commands ask once: loading node:http and making
 * what it needs for one request takes longer than all the rest of them.
 */
import { connect } from 'node:net'
import type { Answered, Fetch } from '@gantry/api'
import { onAbort } from '@gantry/core'
import { answerReader, type HttpAnswer } from './http-answer.ts'

type Asking = Parameters<Fetch>[1]

/** Answers that come bit by bit, bodies, TLS and odd headers are for node:http. */
export function isPlain(url: string, { method, headers, body }: Asking): boolean {
  const isSimple = Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(value))
  return url.startsWith('http:') && method === 'GET' && headers.accept === 'application/json' && !body && isSimple
}

/** Gives the answer when all of it is there. */
export async function plainFetch(url: string, { headers, signal }: Asking): Promise<Answered> {
  signal.throwIfAborted()
  const { host, hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 })
    const forget = onAbort(signal, () => done(() => reject(signal.reason)))
    const reader = answerReader()
    const done = (settle: () => void): void => {
      forget()
      settle()
      socket.destroy()
    }
    const look = (read: () => HttpAnswer | undefined, otherwise?: () => void): void => {
      try {
        const answer = read()
        if (answer) done(() => resolve(answered(answer)))
        else otherwise?.()
      } catch (error) {
        done(() => reject(error))
      }
    }
    socket.once('error', (error) => done(() => reject(error)))
    socket.on('data', (bytes: Buffer) => look(() => reader.take(bytes)))
    socket.once('end', () => look(reader.end, () => done(() => reject(cutOff()))))
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
  })
}

function answered({ status, headers, body }: HttpAnswer): Answered {
  const parts = [body]
  return {
    status,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
    body: {
      getReader: () => ({
        async read() {
          const value = parts.shift()
          return value === undefined ? { done: true } : { done: false, value }
        },
      }),
    },
    text: async () => body.toString('utf8'),
    arrayBuffer: async () => new Uint8Array(body).buffer,
  }
}

/** As Node itself says it. */
function cutOff(): Error {
  return Object.assign(new Error('The connection ended before the answer did'), { code: 'ECONNRESET' })
}
