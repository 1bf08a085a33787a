/** A command in a container, over the channels of a WebSocket. */
import { type Call, deferred, Fault, isFault } from '@gantry/core'
import type { PodStream } from './api.ts'
import { channelsOf } from './channels.ts'
import { exitOf } from './exit-status.ts'
import { unreachable } from './faults.ts'
import type { MessageSocket } from './message-socket.ts'

const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const

/** The one that can end a single stream. */
const halfClosing = 'v5.channel.k8s.io'
export const commandProtocols = [halfClosing, 'v4.channel.k8s.io'] as const

export type PodStreamOptions = { readonly server: string; readonly as: string; readonly what: string }

export function podStream(socket: MessageSocket, { server, as, what }: PodStreamOptions, call: Call): PodStream {
  const channels = channelsOf(socket, call)
  const [stdout, stderr] = [channels.incoming(), channels.incoming()]
  const exit = deferred<number>()
  const status: Buffer[] = []
  channels.onMessage(channel.stdout, (bytes) => stdout.push(bytes))
  channels.onMessage(channel.stderr, (bytes) => stderr.push(bytes))
  channels.onMessage(channel.status, (bytes) => status.push(bytes))
  channels.onClosed((how) => {
    const said = Buffer.concat(status).toString('utf8')
    const ended = said === '' ? undefined : exitOf(said, as)
    const lost = call.signal.aborted
      ? call.signal.reason
      : unreachable(server, what, how.error ?? new Error(how.reason || `the connection was closed (${how.code})`))
    if (ended === undefined) exit.reject(lost)
    else if (isFault(ended)) exit.reject(ended)
    else exit.resolve(ended)
    const failed = ended === undefined ? { error: lost } : {}
    stdout.end(failed)
    stderr.end(failed)
  })
  channels.begin()

  async function send(to: number, bytes: Uint8Array): Promise<void> {
    call.signal.throwIfAborted()
    try {
      await channels.send(to, bytes)
    } catch (cause) {
      call.signal.throwIfAborted()
      throw unreachable(server, `input of ${what}`, cause)
    }
  }

  return {
    stdout,
    stderr,
    write: (bytes) => send(channel.stdin, bytes),
    endInput: async () => {
      if (channels.protocol !== halfClosing) {
        throw new Fault(
          'capability_missing',
          'This cluster cannot end the input of a command alone; Kubernetes 1.30 can',
        )
      }
      await send(channel.close, Uint8Array.of(channel.stdin))
    },
    resize: ({ rows: Height, columns: Width }) => send(channel.resize, Buffer.from(JSON.stringify({ Width, Height }))),
    exit: exit.promise,
    close: () => channels.close(),
  }
}
