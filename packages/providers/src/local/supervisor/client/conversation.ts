/** The client's side of one connection. */
import { connect, type Socket } from 'node:net'
import { type Call, Fault, onAbort } from '@gantry/core/base'
import { codeOf } from '../proc.ts'
import { frameReader, sendFrame } from '../wire/frames.ts'
import { type Answer, type Ask, faultFromWire, protocolVersion } from '../wire/protocol.ts'
import { socketAddress } from '../wire/socket-path.ts'

export type Conversation = {
  /** The answer; rejects with what the supervisor refused it with, or that it was lost. */
  readonly answer: Promise<unknown>
  send(frame: unknown): void
  /** Leaves, without waiting for the answer. */
  leave(): void
}

/** Nobody listens there: none was started, or it has ended. */
export function isAway(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes(codeOf((error as Error | undefined)?.cause))
}

export type VersionMismatch = { readonly theirs: number; readonly version: string }

/** Connects and asks. Rejects with `engine_unreachable` when there is nobody, with what the socket said as its cause. */
export async function converse(
  path: string,
  ask: Ask,
  { signal }: Call,
  onEvent: (event: unknown) => void = () => undefined,
): Promise<Conversation> {
  signal.throwIfAborted()
  const socket = await open(path, signal)
  let settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void } | undefined
  const answer = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Whoever only listens for events does not wait for the answer.
  answer.catch(() => undefined)
  let greeted = false
  const take = (frame: unknown): void => {
    if (!greeted) {
      greeted = true
      return
    }
    const said = frame as Answer
    if ('event' in said) onEvent(said.event)
    else if ('ok' in said) settle?.resolve(said.ok)
    else settle?.reject(faultFromWire(said.fault))
  }
  socket.on(
    'data',
    frameReader(take, (fault) => socket.destroy(fault)),
  )
  socket.on('error', (error) => settle?.reject(lost(error)))
  socket.on('close', () => {
    unlisten()
    settle?.reject(lost(undefined))
  })
  const unlisten = onAbort(signal, () => {
    settle?.reject(signal.reason)
    socket.destroy()
  })
  sendFrame(socket, { gantry: protocolVersion, ask })
  return { answer, send: (frame) => sendFrame(socket, frame), leave: () => socket.destroy() }
}

function open(path: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let address: ReturnType<typeof socketAddress>
    try {
      address = socketAddress(path)
    } catch (error) {
      reject(lost(error))
      return
    }
    const socket = connect(address.path)
    const unlisten = onAbort(signal, () => {
      socket.destroy()
      reject(signal.reason)
    })
    const done = (): void => {
      unlisten()
      address.release()
    }
    socket.once('connect', () => {
      done()
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error) => {
      done()
      reject(lost(error))
    })
  })
}

export function lost(cause: unknown): Fault {
  return new Fault(
    'engine_unreachable',
    'The supervisor of local processes cannot be reached; it is started again when asked next',
    {
      cause,
    },
  )
}
