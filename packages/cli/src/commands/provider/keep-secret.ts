/** What an engine is spoken to with, in a Secret of its own for as long as the Provider is added. */
import { Fault, isFault } from '@gantry/core'
import type { World } from '../../world/world.ts'

/** Never over one that is there: it may be what another Provider is spoken to with. `flag`: how that one is named. */
export async function keepSecret(
  name: string,
  text: Readonly<Record<string, string>>,
  flag: string,
  world: World,
): Promise<string> {
  const { signal } = world
  const { secrets } = await world.tenant()
  const secret = { apiVersion: 'gantry/v1', kind: 'Secret', metadata: { name }, spec: {} } as const
  await secrets.put(secret, { ifAbsent: true, signal }).catch((error: unknown) => {
    if (!isFault(error, 'conflict')) throw error
    const next = `use it with ${flag} ${name}, or delete it first with "gantry secret rm ${name}"`
    throw new Fault('already_exists', `There is a secret "${name}" already; ${next}`, { cause: error })
  })
  await secrets.putData(name, { text: { ...text }, base64: {} }, { signal })
  return name
}

/** What was kept for something that did not come about goes again. */
export async function withSecret<T>(made: string | undefined, world: World, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // Who leaves with Ctrl-C leaves things as they are.
    world.signal.throwIfAborted()
    if (made !== undefined) await (await world.tenant()).secrets.delete(made, { signal: world.signal })
    throw error
  }
}
