/** Adds a Docker Engine that was seen to answer, or nothing at all. */
import type { Client, TenantClient } from '@gantry/api'
import { Fault, isFault, type ProviderInput } from '@gantry/core'
import { findDocker, noDocker } from '../../../engines/find-docker.ts'
import { isThisMachine } from '../../../engines/place.ts'
import { type Certificates, readCertificates } from '../../../engines/read-certificates.ts'
import type { World } from '../../../world/world.ts'
import type { AddInput } from '../add.ts'
import { addedText } from './added-text.ts'
import { verdictOn } from './verdict.ts'

type Flags = AddInput['flags']
type Settings = NonNullable<ProviderInput['docker']>
type Reached = { readonly endpoint: string; readonly certificates?: Certificates }

export async function addDocker(name: string, spec: ProviderInput, flags: Flags, world: World): Promise<number> {
  const { tenant } = await world.connection()
  const client = await world.client()
  const { endpoint, certificates } = await reached(flags, world)
  const made = certificates && (await keep(await world.tenant(), `docker-${name}`, certificates, world))
  const secret = made ?? flags['tls-secret']
  const docker = {
    ...settingsOf(flags),
    endpoint,
    ...(secret !== undefined && { tls: { secret, tenant } }),
  }
  try {
    const provider = {
      apiVersion: 'gantry/v1',
      kind: 'Provider',
      metadata: { name },
      spec: { ...spec, docker },
    } as const
    await client.providers.put(provider, { ifAbsent: true, signal: world.signal })
    const seen = await orTakenBack(name, client, world)
    await world.out.write(addedText(seen))
    return 0
  } catch (error) {
    // Who leaves with Ctrl-C leaves things as they are.
    world.signal.throwIfAborted()
    if (made !== undefined) await (await world.tenant()).secrets.delete(made, { signal: world.signal })
    throw error
  }
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

/** Never over one that is there: it may be what another Provider is spoken to with. */
async function keep(
  { secrets }: TenantClient,
  name: string,
  { ca, cert, key }: Certificates,
  { signal }: World,
): Promise<string> {
  const secret = { apiVersion: 'gantry/v1', kind: 'Secret', metadata: { name }, spec: {} } as const
  await secrets.put(secret, { ifAbsent: true, signal }).catch((error: unknown) => {
    if (!isFault(error, 'conflict')) throw error
    const next = `use it with --tls-secret ${name}, or delete it first with "gantry secret rm ${name}"`
    throw new Fault('already_exists', `There is a secret "${name}" already; ${next}`, { cause: error })
  })
  await secrets.putData(name, { text: { ca, cert, key }, base64: {} }, { signal })
  return name
}

/** Nobody can have begun to use it: it was never ready. */
async function orTakenBack(name: string, client: Client, world: World) {
  try {
    return await verdictOn(name, client, world)
  } catch (error) {
    world.signal.throwIfAborted()
    await client.providers.delete(name, { signal: world.signal })
    if (!isFault(error)) throw error
    throw new Fault(error.reason, `Nothing was added. ${error.message}`, { issues: [...error.issues], cause: error })
  }
}
