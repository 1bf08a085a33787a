#!/usr/bin/env node
/** The edge as a program: `edge-main --data DIR --listen HOST:PORT`. */
import { parseArgs } from 'node:util'
import { Fault, isFault, systemClock } from '@gantry/core'
import { startEdge } from './edge.ts'

/** How long the rest may take when the program is told to end by a signal. */
const graceMs = 10_000

async function main(): Promise<void> {
  // The table says what runs where: nobody else's business.
  process.umask(0o077)
  const { values } = parseArgs({ options: { data: { type: 'string' }, listen: { type: 'string' } } })
  if (!values.data) throw new Fault('bad_request', 'The edge needs --data DIR, the folder that it keeps its table in')
  const listen = addressOf(values.listen ?? '127.0.0.1:7480')
  const edge = await startEdge({ dataDir: values.data, listen, clock: systemClock, say })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void edge.stop(graceMs))
  await edge.stopped
}

function addressOf(text: string): { host: string; port: number } {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || port === undefined || Number(port) > 65_535) {
    throw new Fault('bad_request', `--listen ${text} does not read: write HOST:PORT, for example 127.0.0.1:7480`)
  }
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(isFault(error) ? error.message : String(error instanceof Error ? error.stack : error))
    process.exit(1)
  },
)
