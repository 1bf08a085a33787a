/** The beginning of a connection: until the other side is known to be who it should be. */
import { connect, isIP, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { type Call, onAbort } from '@gantry/core'
import { type Address, tlsOptions } from '../address.ts'

export type Dial = (call: Call) => Promise<Socket>

/** All connections of one certificate: what it takes is read once, and sessions are taken up again. */
export function dialer(
  address: Address,
  certificate: { readonly cert: string; readonly key: string } | undefined,
): Dial {
  const { secure, host, port } = address
  if (!secure) return (call) => begun(connect({ host, port }), 'connect', call)
  const { rejectUnauthorized = true, servername, ...material } = tlsOptions(address, certificate)
  let context: SecureContext | undefined
  let session: Buffer | undefined
  return (call) => {
    context ??= createSecureContext(material)
    const name = servername ?? (isIP(host) === 0 ? host : undefined)
    const socket: TLSSocket = tlsConnect({
      host,
      port,
      secureContext: context,
      rejectUnauthorized,
      ALPNProtocols: ['http/1.1'],
      ...(name !== undefined && { servername: name }),
      ...(session !== undefined && { session }),
    })
    socket.on('session', (next) => {
      session = next
    })
    return begun(socket, 'secureConnect', call)
  }
}

function begun<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', { signal }: Call): Promise<S> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => {
      socket.destroy()
      reject(signal.reason)
    })
    const fail = (cause: unknown): void => {
      leave()
      reject(cause)
    }
    const closed = (): void => fail(new Error('the connection was closed before it began'))
    socket.once('error', fail)
    socket.once('close', closed)
    socket.once(event, () => {
      leave()
      socket.off('error', fail)
      socket.off('close', closed)
      resolve(socket)
    })
  })
}
