/** GET on a port: 200 to 399 is well. */
import { request } from 'node:http'
import { onAbort } from '@gantry/core'
import { connectionError } from './connection-error.ts'
import { type Finding, type Look, unwell, well } from './look.ts'

export type HttpTarget = { readonly host: string; readonly port: number; readonly path: string }

export function httpLook({ host, port, path }: HttpTarget): Look {
  return ({ signal }) =>
    new Promise<Finding>((resolve, reject) => {
      signal.throwIfAborted()
      // A connection of its own: one that is kept would say nothing about whether new ones are accepted.
      const headers = { connection: 'close', 'user-agent': 'gantry-health-check', accept: '*/*' }
      const asking = request({ host, port, path, method: 'GET', agent: false, headers })
      const leave = onAbort(signal, () => finish(() => reject(signal.reason)))
      const finish = (settle: () => void): void => {
        leave()
        asking.destroy()
        settle()
      }
      asking.on('response', ({ statusCode = 0 }) => {
        const answered = statusCode >= 200 && statusCode < 400
        finish(() => resolve(answered ? well : unwell(`GET ${path} on port ${port} answered ${statusCode}`)))
      })
      // Also after the end: what is destroyed may still complain.
      asking.on('error', (error) => {
        finish(() => resolve(unwell(`GET ${path} on port ${port}: ${connectionError(error)}`)))
      })
      asking.end()
    })
}
