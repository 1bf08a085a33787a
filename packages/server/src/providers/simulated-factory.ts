/** The engine that only pretends. For demonstrations and tests: a server has it if and only if it was told so. */
import type { SimulatedWorld } from '@gantry/providers/simulated'
import type { EngineFactory } from './engine-factories.ts'

/** One world for each Provider: two of them do not see each other's workloads. */
export function simulatedFactory(): EngineFactory {
  const worlds = new Map<string, SimulatedWorld>()
  return async ({ name, installation, clock }, { signal }) => {
    // Whoever never opens one does not pay for it.
    const simulated = await import('@gantry/providers/simulated')
    signal.throwIfAborted()
    const world = worlds.get(name) ?? new simulated.SimulatedWorld(clock)
    worlds.set(name, world)
    return { engine: simulated.simulatedEngine(world, installation) }
  }
}
