/** The workload that a command is about; who misspells it is told the nearest. */
import { Fault, nearest, type ObjectOf } from '@gantry/core'
import type { World } from '../world/world.ts'
import { findOne } from './find.ts'
import { faceCalled } from './targets.ts'

type Workload = ObjectOf<'Workload'>

export async function workloadNamed(name: string, world: World): Promise<Workload> {
  const { tenant } = await world.connection()
  const where = { client: await world.client(), tenant, signal: world.signal }
  return (await findOne(faceCalled('workload'), name, where)) as unknown as Workload
}

/** Refused if there is none of that name in it. What others wrote is known to the server alone, which says so itself. */
export function checkService({ metadata, spec }: Workload, service: string | undefined): void {
  if (spec.source) return
  const names = spec.services.map(({ name }) => name)
  if (service === undefined || names.includes(service)) return
  const guess = nearest(service, names)
  const hint = guess === undefined ? `it has ${names.join(', ')}` : `did you mean "${guess}"?`
  throw new Fault('service_not_found', `The workload "${metadata.name}" has no service "${service}"; ${hint}`)
}
