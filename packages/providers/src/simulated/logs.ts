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

/** What there is to read is known only when somebody asks; from then on nothing stands between reader and channel. */
export function opening(open: () => Promise<AsyncIterable<EngineLog>>): AsyncIterator<EngineLog> {
  let opened: AsyncIterator<EngineLog> | undefined
  const begin = async (): Promise<IteratorResult<EngineLog>> => {
    opened = (await open())[Symbol.asyncIterator]()
    return opened.next()
  }
  return {
    next: () => (opened ? opened.next() : begin()),
    return: async () => {
      await opened?.return?.()
      return { done: true, value: undefined }
    },
  }
}
