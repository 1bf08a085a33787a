/** Where the workloads of an apply answer, of those that do. */
import type { ApplyReply } from '@gantry/api'
import { isFault, type ObjectOf } from '@gantry/core'
import type { World } from '../../world/world.ts'
import { addressOf } from '../open/address.ts'
import { seenPort } from '../open/seen-port.ts'

export type Answering = { readonly name: string; readonly address: string }

export async function addressesOf({ results }: ApplyReply, world: World): Promise<Answering[]> {
  const { signal } = world
  const client = await world.client()
  const workloads = results.flatMap(({ object }) =>
    object.kind === 'Workload' ? [object as unknown as ObjectOf<'Workload'>] : [],
  )
  if (workloads.length === 0) return []
  const { edge } = await client.version({ signal })
  const routes = await (await world.tenant()).routes.list({ signal }).toArray()
  const found: Answering[] = []
  for (const workload of workloads) {
    const seen = await seenPort(workload, world)
    try {
      const address = addressOf({ workload, routes, edge, server: client.server, seen })
      found.push({ name: workload.metadata.name, address })
    } catch (error) {
      // Not everything answers requests.
      if (!isFault(error, 'unsupported')) throw error
    }
  }
  return found
}
