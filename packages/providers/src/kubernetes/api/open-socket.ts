/** The beginning of a WebSocket: until the server has taken it, or has said why not. */
import type { IncomingMessage } from 'node:http'
import { type Call, onAbort } from '@gantry/core'
import WebSocket from 'ws'
import type { Signed } from '../config/credentials/credentials.ts'
import { type Address, tlsOptions } from './address.ts'
import { faultOf, unreachable } from './faults.ts'
import type { MessageSocket } from './message-socket.ts'
import { wholeMessage } from './whole-message.ts'

export type Opening = {
  readonly address: Address
  readonly signed: Signed
  /** Who asks, for people. */
  readonly as: string
  readonly path: string
  readonly protocols: readonly string[]
  /** Whether there is nothing else to sign in with: then it is a fault that this was refused. */
  readonly last?: boolean
}

export function openSocket(opening: Opening, call: Call): Promise<MessageSocket | 'unauthenticated'> {
  const { address, signed, as, path, protocols, last = false } = opening
  const { server, secure, host, port } = address
  return new Promise((resolve, reject) => {
    call.signal.throwIfAborted()
    const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
    const socket = new WebSocket(`${secure ? 'wss' : 'ws'}://${authority}${path}`, [...protocols], {
      headers: signed.headers as Record<string, string>,
      perMessageDeflate: false,
      followRedirects: false,
      ...(secure ? tlsOptions(address, signed.certificate) : {}),
    })
    const leave = onAbort(call.signal, () => {
      socket.terminate()
      reject(call.signal.reason)
    })
    socket.on('error', (cause) => {
      leave()
      reject(call.signal.aborted ? call.signal.reason : unreachable(server, path, cause))
    })
    socket.once('unexpected-response', (_request, message: IncomingMessage) => {
      leave()
      const status = message.statusCode ?? 0
      if (status === 401 && !last) {
        message.destroy()
        resolve('unauthenticated')
        return
      }
      wholeMessage(message, call, (cause) => unreachable(server, path, cause)).then((body) => {
        reject(faultOf({ method: 'GET', path, status, body, as }))
      }, reject)
    })
    socket.once('open', () => {
      leave()
      // Whoever takes it listens first, and then has it read.
      socket.pause()
      resolve(socket)
    })
  })
}
