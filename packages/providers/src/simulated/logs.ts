/** Reading what simulated processes wrote. */
import type { EngineLog, LogFrom } from '../log-line.ts'
import { LogBuffer } from './log-buffer.ts'
import type { SimProcess } from './objects.ts'
import type { SimulatedWorld } from './world.ts'

/** There is one for each process that anybody follows, so it is no more than the channel itself. */
export function readLogs(
  world: SimulatedWorld,
  process: SimProcess,
  from: LogFrom,
  signal: AbortSignal,
  unreachable: () => Error,
): AsyncIterable<EngineLog> {
  process.log ??= new LogBuffer()
  const { log } = process
  const leave = world.onLost(() => log.sever(unreachable()))
  return log.read(from, signal, world.clock.now(), leave)
}
