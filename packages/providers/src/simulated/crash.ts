/** What nobody asked for: a service ends by itself. */
import { exited } from './process.ts'
import type { SimulatedWorld } from './world.ts'

/** As if the process had been killed from outside. A replica or service that is not there is left alone. */
export function crashService(world: SimulatedWorld, engineId: string, service: string, exitCode: number): void {
  const replica = world.replicas.get(engineId)
  const process = replica?.services.get(service)
  if (replica && process) exited(world, replica, process, exitCode)
}
