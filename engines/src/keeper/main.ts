/** The keeper as a process: `main.js <engine> <shared|private> <folder> <grace in ms> <settings as JSON>`. Started by users, ends by itself. */
import { systemClock } from '@gantry/core'
import type { Settings } from '../engine.ts'
import { type EngineName, engines } from '../table.ts'
import { keep } from './keeper.ts'

const [, , name, kind, folder, graceMs, settings] = process.argv
const definition = engines[name as EngineName]
if (!definition || !folder || (kind !== 'shared' && kind !== 'private')) {
  throw new Error('The keeper is started by the rig, not by hand: see `npm run engines`')
}
process.umask(0o077)

const told = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => told.abort())

await keep({
  definition,
  folder,
  kind,
  graceMs: Number(graceMs),
  settings: JSON.parse(settings ?? '{}') as Settings,
  clock: systemClock,
  log: (line) => console.log(`${new Date().toISOString()} ${line}`),
  signal: told.signal,
})
