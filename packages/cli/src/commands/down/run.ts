import { isFault, type ObjectOf } from '@gantry/core'
import type { Run } from '../../command/command.ts'
import { readDocuments } from '../../documents/documents.ts'
import { writable } from '../../objects/access.ts'
import type { Goal } from '../../progress/verdict.ts'
import { waitFor } from '../../progress/wait.ts'
import { goalOf } from '../../workloads/goal.ts'
import type { World } from '../../world/world.ts'
import type { downCommand } from './command.ts'
import { type Doomed, doomedIn } from './targets.ts'

export const run: Run<typeof downCommand> = async ({ flags }, world) => {
  const documents = await readDocuments(flags, world)
  const doomed = located(documents, () => doomedIn(documents.objects))
  const goals: Goal[] = []
  for (const one of doomed) {
    const object = await deleted(one, flags.volumes, world)
    const did = object === undefined ? 'not there' : 'deleting'
    await world.out.write(`${one.face.kind.toLowerCase()}/${one.name} ${did}\n`)
    if (object && one.face.kind === 'Workload') goals.push(goalOf(object, 'gone'))
  }
  if (flags['no-wait'] || goals.length === 0) return 0
  await waitFor(goals, world)
  const kept = flags.volumes ? '' : ' Volumes that outlive their workload are kept.'
  await world.err.write(`Everything is gone.${kept}\n`)
  return 0
}

function located<T>({ located: tell }: { located(error: unknown): unknown }, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw tell(error)
  }
}

/** Nothing, if it was not there. */
async function deleted(
  { face, name, tenant }: Doomed,
  volumes: boolean,
  world: World,
): Promise<ObjectOf<'Workload'> | undefined> {
  const client = await world.client()
  const place = tenant ?? (await world.connection()).tenant
  const { signal } = world
  try {
    if (face.kind === 'Workload') return await client.tenant(place).workloads.delete(name, { volumes, signal })
    return await writable(client, place, face).delete(name, { signal })
  } catch (error) {
    if (isFault(error, 'not_found')) return undefined
    throw error
  }
}
