/** A port that is taken is told before anything else is started, with a way out. */
import { createServer } from 'node:net'
import { Fault } from '@gantry/core'

type Address = { readonly host: string; readonly port: number }

/** Free a moment ago; `portInUse` says the same of what was taken in between. */
export function expectFree(at: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(portInUse(at, error)))
    probe.listen(at.port, at.host, () => probe.close(() => resolve()))
  })
}

export function portInUse({ host, port }: Address, error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) return error
  const wayOut = 'stop it, or start with --listen HOST:PORT to listen elsewhere'
  return new Fault('port_in_use', `Port ${port} of ${host} is in use by another program: ${wayOut}`, { cause: error })
}
