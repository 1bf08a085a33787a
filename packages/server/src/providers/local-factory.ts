/** Processes of this machine. One data folder has one supervisor, so there is at most one Provider of this type. */
import { Fault } from '@gantry/core'
import { localEngine, type Supervisor } from '@gantry/providers/local'
import type { EngineFactory } from './engine-factories.ts'

export type LocalFactoryOptions = {
  readonly dataDir: string
  /** Where ports of replicas are taken from; left out: those of the engine. */
  readonly ports?: { readonly from: number; readonly to: number }
  /** Left out: that of the data folder. */
  readonly supervisor?: Supervisor
}

/** It is next door: one that says nothing for so long has stopped, and whoever looks shall know within five seconds. */
const health = { everyMs: 1_500, withinMs: 3_000 }

export function localFactory({ dataDir, ports, supervisor }: LocalFactoryOptions): EngineFactory {
  let taken: string | undefined
  return async ({ name, installation, clock, leaving }, call) => {
    if (taken !== undefined && taken !== name) {
      const message = `This machine is the Provider "${taken}" already; one of type local is all that there can be`
      throw new Fault('schema', message, { issues: [{ path: 'spec.type', message: `is taken by "${taken}"` }] })
    }
    const given = { ...(ports && { ports }), ...(supervisor && { supervisor }) }
    const engine = await localEngine({ dataDir, installation, clock, leaving, ...given }, call)
    taken = name
    return {
      engine,
      health,
      close: async () => {
        taken = undefined
        await engine.close()
      },
    }
  }
}
