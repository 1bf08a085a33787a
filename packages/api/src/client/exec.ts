/** A command inside a service, over a WebSocket. */
import { deferred, Fault } from '@gantry/core'
import { frameStreams } from '../schemas/frame-words.ts'
import type { ExecServerFrame } from '../schemas/frames.ts'
import { ByteQueue } from './byte-queue.ts'
import type { Caller, CallOptions } from './call.ts'
import { openSocket } from './frame-socket.ts'

export type TerminalSize = { readonly rows: number; readonly columns: number }

export type ExecOptions = CallOptions & {
  /** Left out: the main one. */
  readonly service?: string | undefined
  /** By index; left out: the first that is ready. */
  readonly replica?: number | undefined
  /** Without it the command reads end of file at once. */
  readonly stdin?: boolean | undefined
  /** With a terminal there is one stream: everything comes on stdout. */
  readonly tty?: TerminalSize | undefined
}

export type ExecResult =
  | { readonly ended: 'exited'; readonly exitCode: number }
  | { readonly ended: 'killed' }
  | { readonly ended: 'left_running' }

/** A command that runs. Closing it, or ending the caller's signal, ends the command where the engine can do that. */
export interface RunningExec {
  readonly where: { readonly service: string; readonly slot: 'a' | 'b'; readonly replica: number }
  readonly stdout: AsyncIterable<Uint8Array>
  readonly stderr: AsyncIterable<Uint8Array>
  write(bytes: Uint8Array): Promise<void>
  /** Closes stdin. */
  end(): void
  resize(size: TerminalSize): void
  /** The command's own exit code. Rejects if the connection or the engine was lost meanwhile. */
  readonly exit: Promise<ExecResult>
  close(): void
}

type Started = Extract<ExecServerFrame, { type: 'started' }>

/** Resolves when the command runs. */
export async function exec(
  caller: Caller,
  params: { readonly tenant: string; readonly name: string },
  argv: readonly string[],
  { service, replica, stdin, tty, ...options }: ExecOptions = {},
): Promise<RunningExec> {
  const hold = (isHeld: boolean): void => socket.hold(isHeld)
  const streams = { [frameStreams.stdout]: new ByteQueue(hold), [frameStreams.stderr]: new ByteQueue(hold) }
  const started = deferred<Started>()
  const exit = deferred<ExecResult>()
  const socket = await openSocket<ExecServerFrame>(
    caller,
    caller.endpoints.streams.exec,
    { params },
    {
      frame(frame) {
        if (frame.type === 'started') started.resolve(frame)
        else if (frame.type === 'exit') exit.resolve(resultOf(frame))
      },
      bytes: (stream, bytes) => streams[stream as 1 | 2]?.push(bytes),
      closed(fault) {
        const why = fault ?? new Fault('server_unreachable', 'The connection ended before the command did')
        started.reject(why)
        exit.reject(why)
        for (const queue of Object.values(streams)) queue.end(fault === undefined ? {} : { error: fault })
      },
    },
    options,
  )
  const wish = { type: 'start', argv, service, replica, stdin, tty }
  socket.say(wish)
  const { service: in_, slot, replica: index } = await started.promise
  return {
    where: { service: in_, slot, replica: index },
    stdout: streams[frameStreams.stdout],
    stderr: streams[frameStreams.stderr],
    write: (bytes) => socket.bytes(frameStreams.stdin, bytes),
    end: () => socket.say({ type: 'end' }),
    resize: ({ rows, columns }) => socket.say({ type: 'resize', rows, columns }),
    exit: exit.promise,
    close: () => socket.close(),
  }
}

function resultOf({ ended, exitCode }: Extract<ExecServerFrame, { type: 'exit' }>): ExecResult {
  return ended === 'exited' ? { ended, exitCode: exitCode ?? 0 } : { ended }
}
