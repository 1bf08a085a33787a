/**
 * The server as a program: `node main.js [--data DIR] [--listen 127.0.0.1:7400]` serves, `node main.js restore FILE` brings
 * a backup into an empty data folder.
 */
import { isFault, systemClock } from '@gantry/core'
import { limitHeapGrowth } from './serve/heap-growth.ts'
import { restoreOptions, serveOptions } from './serve/options.ts'

const [command, ...rest] = process.argv.slice(2)
const call = { signal: new AbortController().signal }

async function restoreIt(): Promise<void> {
  const options = restoreOptions(rest, process.env)
  const { restore } = await import('./serve/restore.ts')
  await restore(options, call)
  process.stdout.write(`Restored into ${options.data}\n`)
  process.stdout.write('Put the master.key of the backup there too, and start the server\n')
}

async function serveIt(): Promise<void> {
  limitHeapGrowth()
  const options = serveOptions(process.argv.slice(2), process.env)
  const { serve } = await import('./serve/serve.ts')
  const { createLog } = await import('./telemetry/log.ts')
  const { collectAtRest } = await import('./serve/collect-at-rest.ts')
  const { collectGarbage } = await import('./serve/collect-garbage.ts')
  const log = createLog()
  const { address, tokenFile, stop } = await serve(options, log, call)
  const leaveAlone = collectAtRest({
    clock: systemClock,
    busyMs: () => performance.eventLoopUtilization().active,
    bytes: () => process.memoryUsage.rss(),
    collect: collectGarbage,
  })
  const end = (): void => {
    leaveAlone()
    stop().then(
      () => process.stdout.write(options.bare ? 'Gantry has stopped\n' : leftRunning),
      (error: unknown) => {
        log.error('could not stop in order', { error })
        process.exitCode = 1
      },
    )
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.stdout.write(`Gantry listens on ${address}\n`)
  if (tokenFile !== undefined) process.stdout.write(`The token of the administrator is in ${tokenFile}\n`)
}

const leftRunning = 'Gantry has stopped; workloads and their edge go on running, and the next start takes them over\n'

try {
  await (command === 'restore' ? restoreIt() : serveIt())
} catch (error) {
  if (!isFault(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
