/** A whole control plane as it is measured: a database on disk in a folder of its own, controllers, the simulated engine. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ControlPlane, createControlPlane, keySource, simulatedFactory } from '@gantry/server'
import type { Store } from '@gantry/store'

export type WholePlane = {
  readonly plane: ControlPlane
  /** Stops it, and takes the folder away. */
  close(): Promise<void>
}

/** Not started yet. */
export function wholePlane(opened: (store: Store) => void = () => undefined): WholePlane {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-bench-plane-'))
  const plane = createControlPlane({
    database: `sqlite:${join(folder, 'gantry.db')}`,
    providers: { simulated: simulatedFactory() },
    edge: false,
    data: join(folder, 'data'),
    keys: keySource({ type: 'file', path: join(folder, 'master.key') }),
    wrapStore: (store) => {
      opened(store)
      return store
    },
  })
  return {
    plane,
    async close() {
      await plane.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
