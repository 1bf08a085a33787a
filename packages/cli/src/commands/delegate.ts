/** Verbs of a kind that are verbs over all kinds under another name. */
import type { World } from '../world/world.ts'

type ListFlags = {
  readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'name' | undefined
  readonly selector?: string | undefined
}

/** `gantry secret ls` is `gantry get secrets`. */
export async function delegatedList(kind: string, flags: ListFlags, world: World): Promise<number | undefined> {
  const { run } = await import('./get/run.ts')
  const input = {
    output: flags.output,
    selector: flags.selector,
    'all-tenants': false,
    watch: false,
    'no-headers': false,
  }
  return await run({ args: { KIND: kind, NAME: [] }, flags: input, rest: [] }, world)
}

/** `gantry secret describe db` is `gantry describe secret db`. */
export async function delegatedDescribe(kind: string, name: string, world: World): Promise<number | undefined> {
  const { run } = await import('./describe/run.ts')
  return await run({ args: { KIND: kind, NAME: [name] }, flags: { selector: undefined }, rest: [] }, world)
}
