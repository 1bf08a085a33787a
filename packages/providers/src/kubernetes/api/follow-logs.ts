/**
 * Logs that go on. A server says nothing at all until the first line is there, so a silent container looks like a server that
 * does not answer: whether there is a log to follow is asked first, with a deadline. A refusal costs no connection then, where
 * a node is lost and a thousand logs are tried again and again.
 */
import { type Call, joinSignals } from '@gantry/core'
import type { ContainerAt, PodLogRange } from './api.ts'
import { chunksOf } from './body.ts'
import { unreachable } from './faults.ts'
import type { BodyStream } from './http1/body-stream.ts'
import { logPath } from './pods.ts'
import type { Wire } from './wire.ts'

export async function followLogs(
  wire: Wire,
  at: ContainerAt,
  which: PodLogRange,
  call: Call,
): Promise<AsyncIterable<Buffer>> {
  const { stream: _, ...both } = which
  await wire.ask({ method: 'GET', path: logPath(at, { ...both, follow: false, tail: 1, limitBytes: 1 }) }, call)
  const left = new AbortController()
  const joined = joinSignals(call.signal, left.signal)
  const path = logPath(at, which)
  const opening = wire.open({ method: 'GET', path, patient: true }, joined)
  // Told to whoever reads.
  opening.catch(() => undefined)
  return read(opening)

  async function* read(begun: Promise<BodyStream>): AsyncGenerator<Buffer> {
    try {
      yield* chunksOf(await begun, joined, (cause) => unreachable(wire.server, path, cause))
    } finally {
      left.abort(new Error('nobody reads this log any more'))
      joined.clear()
    }
  }
}
