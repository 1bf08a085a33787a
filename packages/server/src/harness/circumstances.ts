/** What may tell why something went wrong: for whoever reads it, and never judged. */
import type { Rig } from './rig.ts'

const lastWords = 2_000

export async function circumstances(rig: Rig): Promise<readonly string[]> {
  const found = await Promise.all([instancesOf(rig), partsOf(rig)].map(orWhyNot))
  return [...found.flat(), `the server said last: ${rig.system.output().slice(-lastWords).trim()}`]
}

async function instancesOf({ system }: Rig): Promise<string[]> {
  const items = await system.client.tenant('default').instances.list().toArray()
  return items.map(({ metadata: { name, deletionRequestedAt }, status }) => {
    const leaving = deletionRequestedAt === undefined ? '' : `, to go since ${deletionRequestedAt}`
    return `instance ${name}${leaving}: ${JSON.stringify(status)}`
  })
}

async function partsOf({ ground }: Rig): Promise<string[]> {
  return [...(await ground.running())].map(([part, { phase, run }]) => `${part} is ${phase}: ${run}`)
}

const orWhyNot = (look: Promise<string[]>): Promise<string[]> =>
  look.catch((error: unknown) => [`could not be looked at: ${error}`])
