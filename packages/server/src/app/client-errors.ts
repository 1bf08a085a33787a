/** What never became a request: it was not HTTP, was too slow, or had too many headers. Answered all the same, and ended. */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '@gantry/core'
import { problemOf } from './problem.ts'

export function answerClientError(error: unknown, socket: Pick<Socket, 'writable' | 'end' | 'destroy'>): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Nobody is there to be told anything.
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { status, headers, body } = problemOf(faultFor(code), randomUUID())
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}

function faultFor(code: unknown): Fault {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Fault('deadline_exceeded', 'The request took too long to arrive; send it faster, or less of it')
  }
  if (code === 'HPE_HEADER_OVERFLOW') return new Fault('bad_request', 'The headers are larger than this server takes')
  return new Fault('bad_request', 'This is not a request of HTTP/1.1')
}
