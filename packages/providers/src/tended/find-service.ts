/** Which replica and service is meant where an engine is asked for logs or a command. */
import { Fault } from '@gantry/core'

export type ServicePlace<Live, Service> = { readonly live: Live; readonly service: Service }

export function findService<Live, Service>(
  replicas: { get(engineId: string): (Live & { readonly services: ReadonlyMap<string, Service> }) | undefined },
  engineId: string,
  name: string,
): ServicePlace<Live, Service> {
  const live = replicas.get(engineId)
  if (!live) throw new Fault('replica_not_found', `There is no replica ${engineId}; it is gone, or never was`)
  const service = live.services.get(name)
  if (!service) throw new Fault('service_not_found', `There is no service ${name} in replica ${engineId}`)
  return { live, service }
}
