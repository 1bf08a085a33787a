/** The Docker Engine of this machine, if there is one. */
import { homedir } from 'node:os'
import { Fault } from '@gantry/core'
import type { World } from '../world/world.ts'
import { askDocker } from './ask-docker.ts'
import { type DockerPlace, dockerPlaces } from './docker-places.ts'
import { type Certificates, readCertificates } from './read-certificates.ts'

export type FoundDocker = {
  readonly endpoint: string
  readonly version: string
  readonly api: string
  readonly certificates?: Certificates
}

export type Tried = DockerPlace & { readonly trouble: string }

export type DockerSearch = { readonly found: FoundDocker } | { readonly tried: readonly Tried[] }

type Around = Pick<World, 'env' | 'clock' | 'signal'>

/** One after the other: the first that answers is it. */
export async function findDocker({ env, clock, signal }: Around): Promise<DockerSearch> {
  const tried: Tried[] = []
  for (const place of dockerPlaces(env, env.HOME || homedir(), process.getuid?.())) {
    const { endpoint } = place
    const certificates =
      place.certificates === undefined ? undefined : await readCertificates(place.certificates, { signal })
    const answer = await askDocker(endpoint, certificates, clock, { signal })
    if (!('trouble' in answer)) return { found: { endpoint, ...answer, ...(certificates && { certificates }) } }
    tried.push({ ...place, trouble: answer.trouble })
  }
  return { tried }
}

/** Pure: why there is none, and what to do about it. */
export function noDocker(tried: readonly Tried[]): Fault {
  const places = tried.map(({ endpoint, trouble }) => `${endpoint} (${words(trouble)})`).join(', ')
  const denied = tried.find(({ trouble }) => isDenied(trouble))
  const next = denied
    ? `Become a member of the group that ${denied.endpoint.slice('unix://'.length)} belongs to`
    : 'Start Docker'
  const message = `There is no Docker Engine on this machine that answers; looked at ${places}. ${next}, set DOCKER_HOST, or say where it is with --endpoint`
  return new Fault('engine_unreachable', message)
}

export function isDenied(trouble: string): boolean {
  return trouble === 'EACCES' || trouble === 'EPERM'
}

function words(trouble: string): string {
  if (trouble === 'ENOENT') return 'not there'
  if (trouble === 'ECONNREFUSED') return 'nobody listens'
  return isDenied(trouble) ? 'not for this user' : trouble
}
