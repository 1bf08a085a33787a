/** The server as a program, from its first word to its last: what `main.ts` and `gantry serve` are. */
import { type Call, onAbort, systemClock } from '@gantry/core'
import { createLog } from '../telemetry/log.ts'
import { collectAtRest } from './collect-at-rest.ts'
import { collectGarbage } from './collect-garbage.ts'
import { limitHeapGrowth } from './heap-growth.ts'
import type { ServeOptions } from './options.ts'
import { serve } from './serve.ts'

/** Serves until the signal ends it; what it starts is not cut short, so that it ends in order. Answers with the exit code. */
export async function runServer(options: ServeOptions, say: (text: string) => void, { signal }: Call): Promise<number> {
  // Before anything is said: who reads that it listens may end it at once.
  const ended = new Promise<void>((resolve) => void onAbort(signal, resolve))
  limitHeapGrowth()
  const log = createLog()
  const { address, tokenFile, stop } = await serve(options, log, { signal: new AbortController().signal })
  const leaveAlone = collectAtRest({
    clock: systemClock,
    busyMs: () => performance.eventLoopUtilization().active,
    bytes: () => process.memoryUsage.rss(),
    collect: collectGarbage,
  })
  say(`Gantry listens on ${address}\n`)
  if (tokenFile !== undefined) say(`The token of the administrator is in ${tokenFile}\n`)
  await ended
  leaveAlone()
  try {
    await stop()
  } catch (error) {
    log.error('could not stop in order', { error })
    return 1
  }
  say(options.bare ? 'Gantry has stopped\n' : leftRunning)
  return 0
}

const leftRunning = 'Gantry has stopped; workloads and their edge go on running, and the next start takes them over\n'
