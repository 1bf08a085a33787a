/** Reading what simulated processes wrote. */
import type { EngineLog, LogFrom } from '../log-line.ts'
import { LogBuffer } from './log-buffer.ts'
import type { SimProcess } from './objects.ts'
import type { SimulatedWorld } from './world.ts'

export async function* readLogs(
  world: SimulatedWorld,
  process: SimProcess,
  from: LogFrom,
  signal: AbortSignal,
  unreachable: () => Error,
): AsyncIterable<EngineLog> {
  process.log ??= new LogBuffer()
  const { log } = process
  const leave = world.onLost(() => log.sever(unreachable()))
  try {
    yield* log.read(from, signal, world.clock.now())
  } finally {
    leave()
  }
}
