/** The http port of what others wrote, as it was seen: nobody says beforehand which there are. */
import { instanceName, type ObjectOf, slots } from '@gantry/core'
import type { World } from '../../world/world.ts'

export async function seenPort({ metadata, spec }: ObjectOf<'Workload'>, world: World): Promise<string | undefined> {
  if (!spec.source) return undefined
  const { signal } = world
  const { instances } = await world.tenant()
  const own = new Set<string>(slots.map((slot) => instanceName(metadata.name, slot)))
  for await (const { metadata: of, status } of instances.list({ signal })) {
    const found = own.has(of.name) ? status.endpoints?.find(isAnswering) : undefined
    if (found) return found.port
  }
  return undefined
}

type Endpoint = NonNullable<ObjectOf<'Instance'>['status']['endpoints']>[number]

const isAnswering = ({ stable, protocol, via }: Endpoint): boolean => stable && protocol === 'http' && via === 'direct'
