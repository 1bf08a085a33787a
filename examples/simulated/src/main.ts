/** `npm start` until the server exists: a story on the simulated engine, told by what the store's watchers see. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock, type WorkloadSpec } from '@gantry/core'
import { SimulatedWorld, simulatedEngine } from '@gantry/providers/simulated'
import { openStore } from '@gantry/store'
import { Narrator } from './narrator.ts'
import { startPlane } from './plane.ts'
import { readManifest } from './read-file.ts'
import { Story } from './story.ts'

const installation = 'demonstration'
const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('interrupted')))
const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(120_000)])

const file = fileURLToPath(new URL('../hello.yaml', import.meta.url))
const manifest = readManifest(file)

const folder = mkdtempSync(join(tmpdir(), 'gantry-demonstration-'))
const store = await openStore({ database: `sqlite:${join(folder, 'gantry.db')}` }, { signal })
const world = new SimulatedWorld(systemClock, { startMs: 300, pullMs: 400, stopMs: 200 })
world.images.set('registry.example/hello:1.0', { listens: 'http', healthyAfterMs: 500 })
world.images.set('registry.example/migrate:1.0', { exits: { code: 0, afterMs: 400 } })
world.missingImages.add('registry.example/hello:2.0')
const narrator = new Narrator(store, systemClock.monotonic())
const plane = startPlane(store, simulatedEngine(world, installation), installation, systemClock)

process.stdout.write(`Gantry 0.1.0: a SIMULATED demonstration.
Nothing runs on this machine but this program: the engine is a model in memory, the images are names. Store, change feed,
work queue, controller and the engine's interface are the real ones. The server and real engines come next.

`)
try {
  const story = new Story({ store, world, narrator, signal })
  await story.tell(manifest.metadata, manifest.spec as WorkloadSpec)
  process.stdout.write('\nThat was the demonstration. `npm test` runs what holds all of this to its word.\n')
} catch (error) {
  if (!stop.signal.aborted) throw error
  process.stdout.write('\nInterrupted; everything of the demonstration is gone.\n')
} finally {
  await plane.stop()
  await store.close()
  rmSync(folder, { recursive: true })
}
