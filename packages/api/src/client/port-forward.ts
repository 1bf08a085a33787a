/** One connection to a port of a replica, over a WebSocket. */
import { deferred, Fault } from '@gantry/core'
import { frameStreams } from '../schemas/frame-words.ts'
import type { ForwardServerFrame } from '../schemas/frames.ts'
import { ByteQueue } from './byte-queue.ts'
import type { Caller, CallOptions } from './call.ts'
import { openSocket } from './frame-socket.ts'

export type ForwardOptions = CallOptions & {
  /** Left out: the main one. */
  readonly service?: string | undefined
  /** By index; left out: the first that is ready. */
  readonly replica?: number | undefined
}

export interface ForwardedConnection {
  readonly where: {
    readonly service: string
    readonly slot: 'a' | 'b'
    readonly replica: number
    readonly port: string
  }
  /** What the service sends, until it has closed its side. Throws if the connection was lost. */
  readonly bytes: AsyncIterable<Uint8Array>
  write(bytes: Uint8Array): Promise<void>
  /** Closes this side. */
  end(): void
  close(): void
}

type Started = Extract<ForwardServerFrame, { type: 'started' }>

/** Resolves when the service has taken the connection. */
export async function portForward(
  caller: Caller,
  params: { readonly tenant: string; readonly name: string },
  port: string | number,
  { service, replica, ...options }: ForwardOptions = {},
): Promise<ForwardedConnection> {
  const queue = new ByteQueue((isHeld) => socket.hold(isHeld))
  const started = deferred<Started>()
  const socket = await openSocket<ForwardServerFrame>(
    caller,
    caller.endpoints.streams.portForward,
    { params },
    {
      frame(frame) {
        if (frame.type === 'started') started.resolve(frame)
        else if (frame.type === 'end') queue.end()
      },
      bytes: (_, bytes) => queue.push(bytes),
      closed(fault) {
        started.reject(fault ?? new Fault('server_unreachable', 'The connection ended before it was made'))
        queue.end(fault === undefined ? {} : { error: fault })
      },
    },
    options,
  )
  socket.say({ type: 'start', port, service, replica })
  const { service: of, slot, replica: index, port: name } = await started.promise
  return {
    where: { service: of, slot, replica: index, port: name },
    bytes: queue,
    write: (bytes) => socket.bytes(frameStreams.stdin, bytes),
    end: () => socket.say({ type: 'end' }),
    close: () => socket.close(),
  }
}
