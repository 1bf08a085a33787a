/** The client's side of one connection. */
import { connect, type Socket } from 'node:net'
import { type Call, deferred, Fault, isFault, onAbort } from '@gantry/core/base'
import { frameReader, sendFrame } from '../wire/frames.ts'
import { type Answer, type Ask, faultFromWire, protocolVersion } from '../wire/protocol.ts'
import { socketAddress } from '../wire/socket-path.ts'

export type Conversation = {
  /** The version that the supervisor speaks: what it says is to be understood only if it is ours. */
  readonly theirs: number
  /** The answer; rejects with what the supervisor refused it with, or that it was lost. */
  readonly answer: Promise<unknown>
  send(frame: unknown): void
  /** Leaves, without waiting for the answer. */
  leave(): void
}

/** Nobody has heard what was asked: none was started, it has ended, or it ended before it said a word. */
const unheard = new WeakSet<Fault>()

export function isAway(error: unknown): boolean {
  return isFault(error) && unheard.has(error)
}

function away(cause: unknown): Fault {
  const fault = lost(cause)
  unheard.add(fault)
  return fault
}

/** Connects and asks; resolves once the supervisor has greeted us. Rejects with `engine_unreachable` when there is nobody. */
export async function converse(
  path: string,
  ask: Ask,
  { signal }: Call,
  onEvent: (event: unknown) => void = () => undefined,
): Promise<Conversation> {
  signal.throwIfAborted()
  const socket = await open(path, signal)
  const greeting = deferred<number>()
  const answer = deferred<unknown>()
  const fail = (error: unknown): void => {
    greeting.reject(signal.aborted ? signal.reason : away(error))
    answer.reject(signal.aborted ? signal.reason : lost(error))
  }
  let greeted = false
  const take = (frame: unknown): void => {
    if (!greeted) {
      greeted = true
      greeting.resolve((frame as { gantry?: number }).gantry ?? 0)
      return
    }
    const said = frame as Answer
    if ('event' in said) onEvent(said.event)
    else if ('ok' in said) answer.resolve(said.ok)
    else answer.reject(faultFromWire(said.fault))
  }
  socket.on(
    'data',
    frameReader(take, (fault) => socket.destroy(fault)),
  )
  socket.on('error', fail)
  socket.on('close', () => {
    unlisten()
    fail(undefined)
  })
  const unlisten = onAbort(signal, () => {
    fail(undefined)
    socket.destroy()
  })
  sendFrame(socket, { gantry: protocolVersion, ask })
  const theirs = await greeting.promise
  return { theirs, answer: answer.promise, send: (frame) => sendFrame(socket, frame), leave: () => socket.destroy() }
}

function open(path: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let address: ReturnType<typeof socketAddress>
    try {
      address = socketAddress(path)
    } catch (error) {
      reject(away(error))
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
      reject(away(error))
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
