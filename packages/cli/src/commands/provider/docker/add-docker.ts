/** Adds a Docker Engine that was seen to answer, or nothing at all. */
import { Fault, type ProviderInput } from '@gantry/core'
import { findDocker, noDocker } from '../../../engines/find-docker.ts'
import { isThisMachine } from '../../../engines/place.ts'
import { type Certificates, readCertificates } from '../../../engines/read-certificates.ts'
import type { World } from '../../../world/world.ts'
import type { AddInput } from '../add.ts'
import { addAnswering } from '../add-answering.ts'
import { keepSecret, withSecret } from '../keep-secret.ts'
import { addedText } from './added-text.ts'

type Flags = AddInput['flags']
type Settings = NonNullable<ProviderInput['docker']>
type Reached = { readonly endpoint: string; readonly certificates?: Certificates }

export async function addDocker(name: string, spec: ProviderInput, flags: Flags, world: World): Promise<number> {
  const { tenant } = await world.connection()
  const client = await world.client()
  const { endpoint, certificates } = await reached(flags, world)
  const made = certificates && (await keepSecret(`docker-${name}`, { ...certificates }, '--tls-secret', world))
  const secret = made ?? flags['tls-secret']
  const docker = {
    ...settingsOf(flags),
    endpoint,
    ...(secret !== undefined && { tls: { secret, tenant } }),
  }
  return await withSecret(made, world, async () => {
    const seen = await addAnswering(name, { ...spec, docker }, client, world)
    await world.out.write(addedText(seen))
    return 0
  })
}

/** What was said, or what was found on this machine; only where the server is on it too, that means the same to it. */
async function reached(flags: Flags, world: World): Promise<Reached> {
  const { endpoint, 'tls-dir': folder, 'tls-secret': secret } = flags
  if (folder !== undefined && secret !== undefined) {
    throw new Fault('bad_request', 'There is one certificate only: leave --tls-dir or --tls-secret out')
  }
  const certificates = folder === undefined ? undefined : await readCertificates(folder, world)
  const given = certificates && { certificates }
  if (endpoint !== undefined) return { endpoint, ...given }
  const { server } = await world.connection()
  if (!isThisMachine(server)) {
    const message = `The server is at ${server}, and what Docker there is on this machine is not its own; say where it is as that machine sees it, with --endpoint unix:///var/run/docker.sock or tcp://host:port`
    throw new Fault('bad_request', message)
  }
  const search = await findDocker(world)
  if ('tried' in search) throw noDocker(search.tried)
  return { ...search.found, ...given }
}

function settingsOf(flags: Flags): Settings {
  const { subnets, 'host-folder': folders, 'docker-config': config } = flags
  return {
    ...(subnets !== undefined && { subnets }),
    ...(folders.length > 0 && { hostFolders: [...folders] }),
    ...(config !== undefined && { config }),
  }
}
