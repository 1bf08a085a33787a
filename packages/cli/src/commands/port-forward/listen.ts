/** A socket that listens here, and hands over each connection. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Fault } from '@gantry/core'

export type Listening = { readonly server: Server; readonly host: string; readonly port: number }

/** Either side may say that it has no more to send, and go on listening. */
export function listen(host: string, port: number, take: (socket: Socket) => void): Promise<Listening> {
  const server = createServer({ allowHalfOpen: true }, take)
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(refusal(error, host, port)))
    server.listen({ host, port }, () => {
      const { address, port: found } = server.address() as AddressInfo
      resolve({ server, host: address, port: found })
    })
  })
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): Fault {
  const where = `${host}:${port}`
  const { code } = error
  if (code === 'EADDRINUSE') {
    return new Fault('port_in_use', `Something else listens on ${where}; choose another port, or 0 for any`, {
      cause: error,
    })
  }
  const why = code === 'EACCES' ? 'this user may not use that port; take one above 1023' : `it is refused (${code})`
  return new Fault('bad_request', `Nothing can listen on ${where}: ${why}`, { cause: error })
}
