/** A daemon for one test alone, to be killed and filled at will; there is no registry beside it. */
import { type PrivateEngine, startPrivate } from '@gantry/engines'
import { connectDocker } from '../docker/api/connect.ts'
import type { DockerRig } from './docker-rig.ts'
import { realDocker } from './real-docker.ts'
import { type DockerName, testedDocker } from './tested-docker.ts'

export type PrivateRig = DockerRig & { readonly engine: PrivateEngine<DockerName> }

const call = { signal: new AbortController().signal }

/** Or why there is none. `settings` are those of the rig's own file. */
export async function privateRig(
  settings: Readonly<Record<string, string>>,
): Promise<PrivateRig | { readonly missing: string }> {
  const shared = await realDocker()
  if ('missing' in shared) return shared
  await shared.end()
  const engine = await startPrivate(testedDocker, call, settings)
  const { address } = engine
  const push = () => Promise.reject(new Error('there is no registry here'))
  const docker = await connectDocker({ socket: address.socket }, call)
  return { address, docker, registry: 'none.invalid', push, engine }
}
