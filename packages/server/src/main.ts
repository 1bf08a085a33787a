/**
 * The server as a program: `node main.js [--data DIR] [--listen 127.0.0.1:7400]` serves, `node main.js restore FILE` brings
 * a backup into an empty data folder. `gantry serve` and `gantry restore` are the same behind a command line.
 */
import { Fault, isFault } from '@gantry/core'
import { restoreOptions, serveOptions } from './serve/options.ts'

const [command, ...rest] = process.argv.slice(2)
const ended = new AbortController()
const say = (text: string): void => void process.stdout.write(text)

async function restoreIt(): Promise<void> {
  const options = restoreOptions(rest, process.env)
  const { restore } = await import('./serve/restore.ts')
  await restore(options, ended)
  say(`Restored into ${options.data}\n`)
  say('Put the master.key of the backup there too, and start the server\n')
}

async function serveIt(): Promise<void> {
  const options = serveOptions(process.argv.slice(2), process.env)
  const { runServer } = await import('./serve/run.ts')
  const end = (): void => ended.abort(new Fault('aborted', 'Ended by a signal'))
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  process.exitCode = await runServer(options, say, ended)
}

try {
  await (command === 'restore' ? restoreIt() : serveIt())
} catch (error) {
  if (!isFault(error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
