/** Whether somebody accepts a connection at an address: nothing is said over it. */
import { connect } from 'node:net'
import { type Call, type Clock, onAbort, withDeadline } from '@gantry/core'

export type Dialled = { readonly host: string; readonly port: number }

/** False when nobody has by then. Rejects only when the caller has left. */
export async function accepts(at: Dialled, withinMs: number, clock: Clock, call: Call): Promise<boolean> {
  const deadline = withDeadline(clock, withinMs, `Dialling ${at.host}:${at.port}`, call)
  try {
    return await connects(at, deadline)
  } finally {
    deadline.clear()
    call.signal.throwIfAborted()
  }
}

function connects(at: Dialled, { signal }: Call): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(at)
    const over = (is: boolean): void => {
      forget()
      socket.destroy()
      resolve(is)
    }
    const forget = onAbort(signal, () => over(false))
    socket.once('connect', () => over(true))
    socket.once('error', () => over(false))
  })
}
