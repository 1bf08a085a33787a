/** `npm run engines -- doctor | up <name> | down` */
import { systemClock } from '@gantry/core'
import { cacheFolder } from './cache.ts'
import { doctorReport } from './doctor.ts'
import { rigFolder, sharedFolder } from './folder.ts'
import { reachEngine } from './keeper/reach.ts'
import { engineNames, engineStatus, isEngineName, stopEngine } from './status.ts'
import { engines } from './table.ts'

const usage = `usage: npm run engines -- doctor | up <${engineNames().join('|')}> | down`
const signal = AbortSignal.timeout(60 * 60_000)

process.exitCode = await run(process.argv.slice(2))

async function run([command, name]: readonly string[]): Promise<number> {
  switch (command) {
    case 'doctor':
      return doctor()
    case 'up':
      return name === undefined ? misused() : up(name)
    case 'down':
      return down()
    default:
      return misused()
  }
}

async function doctor(): Promise<number> {
  const found = await Promise.all(engineNames().map((name) => engineStatus(name, { signal })))
  console.log(doctorReport(found, { state: rigFolder(), cache: cacheFolder() }))
  const missing = found.some(({ state }) => state === 'missing')
  return missing && process.env.GANTRY_ENGINES === 'required' ? 1 : 0
}

/** Prints the address, and leaves the engine running until `down`. */
async function up(name: string): Promise<number> {
  if (!isEngineName(name)) return misused()
  const wanted = { engine: name, kind: 'shared', folder: sharedFolder(engines[name]), ask: { ask: 'hold' } } as const
  const { outcome, link } = await reachEngine(wanted, { clock: systemClock, signal })
  link.close()
  if (outcome.state === 'missing') {
    console.error(`${name} is missing: ${outcome.why}`)
    return 1
  }
  console.log(typeof outcome.address === 'string' ? outcome.address : JSON.stringify(outcome.address, undefined, 2))
  return 0
}

async function down(): Promise<number> {
  for (const name of engineNames()) {
    const stopped = await stopEngine(name, { signal })
    console.log(stopped > 0 ? `${name}: stopped` : `${name}: was not running`)
  }
  return 0
}

function misused(): number {
  console.error(usage)
  return 2
}
