/** Commands inside containers, over the wire. */
import { once } from 'node:events'
import { type Call, type Clock, Fault, orAbort, sleep } from '@gantry/core'
import type { ExecSession, ExecsApi } from './api.ts'
import { unreachable } from './faults.ts'
import { framesOf } from './frames.ts'
import { chunksOf } from './http-wire.ts'
import { done, escaped, jsonIfThere, jsonOf } from './questions.ts'
import type { Exec } from './types/exec.ts'
import type { Hijacked, Wire } from './wire.ts'

/** The engine learns of an end by another way than its output ends by: mostly it is there at once. */
const firstLookMs = 5
const longestLookMs = 250

export function execsApi(wire: Wire, clock: Clock): ExecsApi {
  const inspect = (id: string, call: Call): Promise<Exec | undefined> =>
    jsonIfThere<Exec>(wire, `/exec/${escaped(id)}/json`, call)
  return {
    inspect,
    async create(container, json, call) {
      const path = `/containers/${escaped(container)}/exec`
      return (await jsonOf<{ Id: string }>(wire, { method: 'POST', path, json }, call)).Id
    },
    async start(id, { tty: Tty }, call) {
      const request = { method: 'POST', path: `/exec/${escaped(id)}/start`, json: { Detach: false, Tty } } as const
      return session(await wire.hijack(request, call), Tty, call)
    },
    resize: (id, { rows: h, columns: w }, call) =>
      done(wire, { method: 'POST', path: `/exec/${escaped(id)}/resize`, query: { h, w } }, call),
    async exitCode(id, call) {
      for (let waitMs = firstLookMs; ; waitMs = Math.min(2 * waitMs, longestLookMs)) {
        const found = await inspect(id, call)
        if (!found)
          throw new Fault('engine_object_not_found', 'Docker knows the command no more: its container is gone')
        if (!found.Running && found.ExitCode !== null) return found.ExitCode
        await sleep(clock, waitMs, call)
      }
    },
  }
}

function session({ socket, head }: Hijacked, tty: boolean, call: Call): ExecSession {
  if (head.length > 0) socket.unshift(head)
  let broken: Error | undefined
  socket.on('error', (cause) => {
    broken = cause
  })
  return {
    output: framesOf(chunksOf(socket, call), tty),
    async write(bytes) {
      call.signal.throwIfAborted()
      if (broken || !socket.writable)
        throw unreachable('input of a command', broken ?? new Error('the command has ended'))
      if (socket.write(bytes)) return
      await orAbort(Promise.race([once(socket, 'drain'), once(socket, 'close')]), call)
    },
    endInput: () => void socket.end(),
    close: () => void socket.destroy(),
  }
}
