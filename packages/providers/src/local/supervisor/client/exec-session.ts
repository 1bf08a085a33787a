/** A command in a supervised process, from the client's side: bytes are asked for as they are read. */
import { type Call, deferred, Fault, onAbort } from '@gantry/core/base'
import { type Channel, channel } from '../../../channel.ts'
import type { ExecExit, ExecSession } from '../../../exec.ts'
import type { SupervisedExec } from '../supervisor.ts'
import type { Ask, ExecInput, ExecOutput } from '../wire/protocol.ts'
import type { Conversation } from './conversation.ts'

type Open = (ask: Ask, call: Call, onEvent: (event: unknown) => void) => Promise<Conversation>

export async function execSession(id: string, request: SupervisedExec, open: Open, call: Call): Promise<ExecSession> {
  const { argv, stdin = false, tty, env } = request
  const streams = { stdout: channel<Uint8Array>(), stderr: channel<Uint8Array>() }
  const writes: (() => void)[] = []
  const started = deferred<void>()
  const exit = deferred<ExecExit>()
  let over = false
  const take = (event: unknown): void => {
    const said = event as ExecOutput
    if ('started' in said) started.resolve()
    if ('stream' in said) streams[said.stream].push(Buffer.from(said.bytes, 'base64'))
    if ('taken' in said) writes.shift()?.()
    if ('exit' in said) exit.resolve(said.exit)
  }
  const ask: Ask = { method: 'exec', id, argv, stdin, ...(tty && { tty }), ...(env && { env }) }
  // Not the caller's signal: an abort is told to the supervisor, which says when all of it is killed.
  const conversation = await open(ask, { signal: new AbortController().signal }, take)
  const send = (frame: ExecInput): void => conversation.send(frame)
  const unlisten = onAbort(call.signal, () => send({ kill: true }))
  conversation.answer
    .catch((error: unknown) => {
      started.reject(error)
      exit.reject(error)
    })
    .finally(() => {
      over = true
      unlisten()
      for (const stream of Object.values(streams)) stream.close()
      for (const taken of writes.splice(0)) taken()
      conversation.leave()
    })
  await started.promise
  call.signal.throwIfAborted()
  return {
    stdout: counted(streams.stdout, (bytes) => send({ read: 'stdout', bytes })),
    stderr: counted(streams.stderr, (bytes) => send({ read: 'stderr', bytes })),
    exit: exit.promise,
    write: (bytes) =>
      new Promise((resolve) => {
        // A command that has ended takes nothing any more, and nobody should wait for it.
        if (over) resolve()
        else writes.push(resolve)
        send({ write: Buffer.from(bytes).toString('base64') })
      }),
    async end() {
      send({ end: true })
    },
    async resize(size) {
      if (!tty) throw new Fault('capability_missing', 'There is no terminal to resize; ask for one with tty')
      send({ resize: size })
    },
  }
}

async function* counted(from: Channel<Uint8Array>, read: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const bytes of from) {
    yield bytes
    read(bytes.length)
  }
}
