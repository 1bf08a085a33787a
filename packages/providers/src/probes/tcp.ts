/** A connection to a port: accepted is well. */
import { connect } from 'node:net'
import { onAbort } from '@gantry/core'
import { connectionError } from './connection-error.ts'
import { type Finding, type Look, unwell, well } from './look.ts'

export function tcpLook({ host, port }: { readonly host: string; readonly port: number }): Look {
  return ({ signal }) =>
    new Promise<Finding>((resolve, reject) => {
      signal.throwIfAborted()
      const socket = connect({ host, port })
      const leave = onAbort(signal, () => finish(() => reject(signal.reason)))
      const finish = (settle: () => void): void => {
        leave()
        socket.destroy()
        settle()
      }
      socket.on('connect', () => finish(() => resolve(well)))
      socket.on('error', (error) => finish(() => resolve(unwell(`port ${port}: ${connectionError(error)}`))))
    })
}
