/** A connection to a port of a pod, over the channels of a WebSocket. */
import { type Call, deferred, Fault } from '@gantry/core'
import type { PodConnection } from './api.ts'
import { type Channels, channelsOf } from './channels.ts'
import { unreachable } from './faults.ts'
import type { MessageSocket } from './message-socket.ts'

const channel = { data: 0, error: 1 } as const

export const forwardProtocols = ['v4.channel.k8s.io'] as const

/** The first thing on each channel is the number of the port. */
const portBytes = 2

export type PodConnectionOptions = { readonly server: string; readonly what: string }

export function podConnection(
  socket: MessageSocket,
  { server, what }: PodConnectionOptions,
  call: Call,
): PodConnection {
  const channels = channelsOf(socket, call)
  const incoming = channels.incoming()
  const closed = deferred<void>()
  const said: Buffer[] = []
  let isOurs = false
  behindPort(channels, channel.data, (bytes) => incoming.push(bytes))
  behindPort(channels, channel.error, (bytes) => said.push(bytes))
  channels.onClosed((how) => {
    const words = Buffer.concat(said).toString('utf8').trim()
    const error = call.signal.aborted
      ? call.signal.reason
      : words !== ''
        ? new Fault('engine_refused', forwardText(what, words), { detail: words })
        : how.error !== undefined && !isOurs
          ? unreachable(server, what, how.error)
          : undefined
    incoming.end(error === undefined ? {} : { error })
    if (error === undefined) closed.resolve()
    else closed.reject(error)
  })
  channels.begin()

  return {
    incoming,
    async write(bytes) {
      call.signal.throwIfAborted()
      try {
        await channels.send(channel.data, bytes)
      } catch (cause) {
        call.signal.throwIfAborted()
        throw unreachable(server, what, cause)
      }
    },
    // There is no word for "I have said all, and listen on": what the other side says is still read.
    end: async () => undefined,
    closed: closed.promise,
    close() {
      isOurs = true
      channels.close()
    },
  }
}

/** Most of what is said is about the inside of the node. */
export function forwardText(what: string, words: string): string {
  if (/connection refused/i.test(words)) return `Nobody listens on ${what}`
  return `Kubernetes cannot forward to ${what}: ${words.replace(/^.*: failed to execute portforward in network namespace "[^"]*": /s, '').slice(0, 300)}`
}

function behindPort(channels: Channels, of: number, take: (bytes: Buffer) => void): void {
  let left = portBytes
  channels.onMessage(of, (bytes) => {
    const skipped = Math.min(left, bytes.length)
    left -= skipped
    if (skipped < bytes.length) take(bytes.subarray(skipped))
  })
}
