/** The server as a program: `node main.js --data DIR --listen 127.0.0.1:7400`. */
import { isFault } from '@gantry/core'
import { serveOptions } from './serve/options.ts'
import { serve } from './serve/serve.ts'
import { createLog } from './telemetry/log.ts'

const log = createLog()
const starting = new AbortController()

try {
  const options = serveOptions(process.argv.slice(2), process.env)
  const { address, tokenFile, stop } = await serve(options, log, { signal: starting.signal })
  process.stdout.write(`Gantry listens on ${address}\n`)
  if (tokenFile !== undefined) process.stdout.write(`The token of the administrator is in ${tokenFile}\n`)
  const end = (): void => {
    stop().catch((error: unknown) => {
      log.error('could not stop in order', { error })
      process.exitCode = 1
    })
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
} catch (error) {
  if (!isFault(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
