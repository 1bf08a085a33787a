/** A command inside a service. It is recorded with all its arguments before it runs, and ends with its connection. */
import { type ExecStart, endpoints, execClientFrame, frameStreams } from '@gantry/api'
import { Fault } from '@gantry/core'
import type { ExecRequest, ExecSession } from '@gantry/providers'
import { implement, type Routes } from '../app/implement.ts'
import { pump } from './pump.ts'
import { readFrame, type SessionSocket } from './session-socket.ts'
import { chooseTarget, findWorkload, placesOf, type TargetDeps } from './target.ts'

export function execRoute(deps: TargetDeps): Routes['streams']['exec'] {
  return implement(endpoints.streams.exec, async ({ params, access, recording, signal }) => {
    const workload = await findWorkload(deps.store, access, params, { signal })
    const places = await placesOf(deps.store, access, params, { signal })
    const session = async (socket: SessionSocket): Promise<void> => {
      const start = await socket.first(execClientFrame)
      if (start.type !== 'start') throw new Fault('schema', 'The first frame must say what to run: type start')
      const target = chooseTarget(deps.hub, places, start, workload.status.stable)
      const { engine, replica, service, slot } = target
      if (!engine.exec) throw new Fault('capability_missing', `An engine of type ${engine.type} runs no commands`)
      const detail = { argv: start.argv, service, slot, replica: replica.index, tty: start.tty !== undefined }
      const entry = recording.draft({ target: { kind: 'Workload', ...params }, detail })
      await deps.store.write(access, [], { audit: entry }, socket)
      const command = await engine.exec(replica.engineId, service, requestOf(start), socket)
      await socket.say({ type: 'started', service, slot, replica: replica.index })
      await converse(socket, command)
    }
    return { session }
  })
}

function requestOf({ argv, stdin, tty }: ExecStart): ExecRequest {
  return { argv, stdin, ...(tty && { tty }) }
}

async function converse(socket: SessionSocket, command: ExecSession): Promise<void> {
  const output = Promise.all([
    pump(command.stdout, (bytes) => socket.bytes(frameStreams.stdout, bytes)),
    pump(command.stderr, (bytes) => socket.bytes(frameStreams.stderr, bytes)),
  ])
  const input = listen(socket, command)
  // A frame that makes no sense ends it, and so does the command; the caller's end does so through the engine's signal.
  await Promise.race([input.then(() => output), output])
  const exit = await command.exit
  await socket.say({ type: 'exit', ...exit })
}

/** Until the caller has nothing more to say. */
async function listen(socket: SessionSocket, command: ExecSession): Promise<void> {
  for (let next = await socket.next(); next; next = await socket.next()) {
    if (next.type === 'bytes') {
      if (next.stream !== frameStreams.stdin) throw new Fault('schema', `Stream ${next.stream} is not for writing`)
      await command.write(next.bytes)
      continue
    }
    const frame = readFrame(execClientFrame, next)
    if (frame.type === 'resize') await command.resize({ rows: frame.rows, columns: frame.columns })
    else if (frame.type === 'end') await command.end()
    else throw new Fault('schema', 'There is one command for each connection, and it runs already')
  }
}
