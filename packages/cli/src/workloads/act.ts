/** Something done to a workload by its name: told, and waited for where that is wanted. */

import type { TenantClient } from '@gantry/api'
import { Fault, findFace, isFault, type ObjectOf } from '@gantry/core'
import { findOne } from '../objects/find.ts'
import type { Goal } from '../progress/verdict.ts'
import type { World } from '../world/world.ts'
import { goalOf } from './goal.ts'

type Workload = ObjectOf<'Workload'>

/** Names may be written as `workload/web`, as other commands print them. */
export function plainName(word: string): string {
  const [kind, name, ...more] = word.split('/')
  if (name === undefined) return word
  if (more.length === 0 && kind !== undefined && findFace(kind)?.kind === 'Workload') return name
  throw new Fault('bad_request', `"${word}" is no workload: write its name, as in web or workload/web`)
}

/** Who misspells a name is told the nearest. */
export async function onWorkload<T>(
  world: World,
  word: string,
  act: (name: string, tenant: TenantClient) => Promise<T>,
): Promise<T> {
  const name = plainName(word)
  try {
    return await act(name, await world.tenant())
  } catch (error) {
    if (isFault(error, 'not_found') && error.reason === 'object_not_found') await workloadNamed(world, name)
    throw error
  }
}

export async function workloadNamed(world: World, word: string): Promise<Workload> {
  const face = findFace('Workload')
  if (!face) throw new Fault('unexpected', 'There are no workloads in this version')
  const { tenant } = await world.connection()
  const where = { client: await world.client(), tenant, signal: world.signal }
  return (await findOne(face, plainName(word), where)) as unknown as Workload
}

/** Acts on each, tells it in a word, and waits for all of them together. */
export async function actOnEach(
  world: World,
  words: readonly string[],
  { did, wait, act }: { did: string; wait: boolean; act: (name: string, tenant: TenantClient) => Promise<Workload> },
): Promise<void> {
  const goals: Goal[] = []
  for (const word of words) {
    const workload = await onWorkload(world, word, act)
    await world.out.write(`workload/${workload.metadata.name} ${did}\n`)
    goals.push(goalOf(workload))
  }
  if (!wait) return
  const { waitFor } = await import('../progress/wait.ts')
  await waitFor(goals, world)
}
