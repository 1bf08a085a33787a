/** GET on a port: 200 to 399 is well. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { onAbort } from '@gantry/core'
import { connectionError } from './connection-error.ts'
import { type Finding, type Look, unwell, well } from './look.ts'

export type HttpTarget = { readonly host: string; readonly port: number; readonly path: string }

export function httpLook({ host, port, path }: HttpTarget): Look {
  return ({ signal }) =>
    new Promise<Finding>((resolve, reject) => {
      signal.throwIfAborted()
      // A connection of its own: one that is kept would say nothing about whether new ones are accepted. And made before
      // there is a request: while a program starts nobody listens, and a request for nobody costs as much again.
      const socket = connect({ host, port })
      const leave = onAbort(signal, () => finish(() => reject(signal.reason)))
      const finish = (settle: () => void): void => {
        leave()
        socket.destroy()
        settle()
      }
      // Also after the end: what is destroyed may still complain.
      const failed = (error: Error): void =>
        finish(() => resolve(unwell(`GET ${path} on port ${port}: ${connectionError(error)}`)))
      socket.on('error', failed)
      socket.once('connect', () => {
        const headers = { connection: 'close', 'user-agent': 'gantry-health-check', accept: '*/*' }
        const asking = request({ host, port, path, method: 'GET', createConnection: () => socket, headers })
        asking.on('response', ({ statusCode = 0 }) => {
          const answered = statusCode >= 200 && statusCode < 400
          finish(() => resolve(answered ? well : unwell(`GET ${path} on port ${port} answered ${statusCode}`)))
        })
        asking.on('error', failed)
        asking.end()
      })
    })
}
