/** The http port of a workload as it was seen: of what others wrote nobody says beforehand which there are. */
import { type EndpointStatus, instanceName, type ObjectOf, slots } from '@gantry/core'
import type { World } from '../../world/world.ts'

export type SeenPort = Pick<EndpointStatus, 'port' | 'via'>

export async function seenPort({ metadata, spec }: ObjectOf<'Workload'>, world: World): Promise<SeenPort | undefined> {
  const { signal } = world
  const { instances } = await world.tenant()
  const own = new Set<string>(slots.map((slot) => instanceName(metadata.name, slot)))
  const main = spec.services.find(({ role }) => role === 'main')?.name
  const seen: EndpointStatus[] = []
  for await (const { metadata: of, status } of instances.list({ signal })) {
    if (!own.has(of.name)) continue
    // Of our own services each replica answers too, where nobody stands before all of them.
    const all = [...(status.endpoints ?? []), ...(status.replicas ?? []).flatMap((replica) => replica.endpoints)]
    seen.push(...all.filter((each) => (spec.source ? each.stable : each.service === main)))
  }
  return bestOf(seen)
}

/** One that can be dialled comes first. */
export function bestOf(seen: readonly EndpointStatus[]): SeenPort | undefined {
  const http = seen.filter(({ protocol }) => protocol === 'http')
  return http.find(({ via }) => via === 'direct') ?? http[0]
}
