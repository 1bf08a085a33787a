/** A process that opens a store and keeps it. Run from dist: `holder.js <database>`; says `open`, or why not, as JSON. */
import { asFault } from '@gantry/core'
import { openStore } from '../../open.ts'

const [database = ''] = process.argv.slice(2)

try {
  await openStore({ database }, { signal: new AbortController().signal })
  process.stdout.write(`${JSON.stringify({ open: process.pid })}\n`)
  setInterval(() => undefined, 60_000)
} catch (error) {
  const { reason, message } = asFault(error)
  process.stdout.write(`${JSON.stringify({ reason, message })}\n`)
}
