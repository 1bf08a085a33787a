/** Puts a Provider that answers, or none at all. */
import type { Client } from '@gantry/api'
import { Fault, isFault, type ObjectOf, type ProviderInput } from '@gantry/core'
import type { World } from '../../world/world.ts'
import { verdictOn } from './verdict.ts'

/** The Provider as it was when it answered. */
export async function addAnswering(
  name: string,
  spec: ProviderInput,
  client: Client,
  world: World,
): Promise<ObjectOf<'Provider'>> {
  const provider = { apiVersion: 'gantry/v1', kind: 'Provider', metadata: { name }, spec } as const
  await client.providers.put(provider, { ifAbsent: true, signal: world.signal })
  try {
    return await verdictOn(name, client, world)
  } catch (error) {
    // Who leaves with Ctrl-C leaves things as they are. Nobody can have begun to use it: it was never ready.
    world.signal.throwIfAborted()
    await client.providers.delete(name, { signal: world.signal })
    if (!isFault(error)) throw error
    throw new Fault(error.reason, `Nothing was added. ${error.message}`, { issues: [...error.issues], cause: error })
  }
}
