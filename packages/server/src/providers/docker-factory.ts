/** Docker Engines: as many as there are Providers of this type, each at an address of its own. */
import { createSecureContext } from 'node:tls'
import { type Call, type DockerSettings, Fault, isFault, type ProviderSpec, tlsValues } from '@gantry/core'
import type { DockerApi, Endpoint, TlsFiles } from '@gantry/providers/docker'
import type { EngineFactory, EngineWish } from './engine-factories.ts'

/** A socket of this machine that says nothing for so long has stopped, and whoever looks shall know within seconds. */
const nearHealth = { everyMs: 1_500, withinMs: 3_000 }

export type DockerFactoryOptions = {
  /** For whoever watches what is asked of a daemon, or breaks it. */
  readonly wrapApi?: (api: DockerApi) => DockerApi
}

export function dockerFactory({ wrapApi = (api) => api }: DockerFactoryOptions = {}): EngineFactory {
  /** By daemon: the Provider that has it. */
  const taken = new Map<string, string>()
  return async (wish, call) => {
    // Whoever never opens one does not pay for it.
    const { connectDocker, dockerEngine, parseEndpoint } = await import('@gantry/providers/docker')
    const { name, installation, clock, leaving } = wish
    const { tls, subnets, hostFolders, config, ...settings } = settingsOf(wish.spec)
    const endpoint = parseEndpoint(settings.endpoint, tls && (await certificate(tls, wish, call)))
    const api = wrapApi(await connectDocker(endpoint, call, { clock }))
    let daemon: string | undefined
    try {
      daemon = await claim(taken, name, api, call)
      const given = {
        ...(subnets !== undefined && { subnets }),
        ...(hostFolders && { hostFolders }),
        ...(config !== undefined && { dockerConfig: config }),
      }
      const engine = await dockerEngine({ installation, clock, leaving, endpoint, api, ...given }, call)
      const own = daemon
      return {
        engine,
        ...(isNear(endpoint) && { health: nearHealth }),
        close: async () => {
          taken.delete(own)
          await engine.close()
          api.close()
        },
      }
    } catch (error) {
      if (daemon !== undefined) taken.delete(daemon)
      api.close()
      throw error
    }
  }
}

function settingsOf({ docker }: ProviderSpec): DockerSettings {
  if (docker) return docker
  throw new Fault('schema', 'A provider of type docker must say where its engine is', {
    issues: [{ path: 'spec.docker', message: 'is required' }],
  })
}

/** All three of one version: a certificate that is renewed while it is read must not be half of each. */
async function certificate(
  { secret: name, tenant }: NonNullable<DockerSettings['tls']>,
  { secrets }: EngineWish,
  call: Call,
): Promise<TlsFiles> {
  const first = await secrets.resolve({ tenant, name, key: tlsValues[0] }, call).catch((error: unknown) => {
    throw isFault(error, 'not_found') ? noCertificate(tenant, name, error) : error
  })
  const { version } = first
  const text = async (key: (typeof tlsValues)[number]): Promise<string> => {
    try {
      return (await secrets.resolve({ tenant, name, key, version }, call)).value.reveal()
    } catch (error) {
      throw isFault(error, 'not_found') ? noCertificate(tenant, name, error) : error
    }
  }
  const files = { ca: first.value.reveal(), cert: await text('cert'), key: await text('key') }
  expectUsable(files, name, tenant)
  return files
}

/** Said in our words: those of OpenSSL would come with every question, and help nobody. */
function expectUsable(files: TlsFiles, name: string, tenant: string): void {
  try {
    createSecureContext(files)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be read'
    const message = `The secret "${name}" of tenant "${tenant}" is no certificate that can be used (${why}); write ca, cert and key in PEM, of which cert and key belong together`
    throw new Fault('bad_document', message, {
      issues: [{ path: 'spec.docker.tls.secret', message: `"${name}" is no certificate that can be used` }],
      cause,
    })
  }
}

function noCertificate(tenant: string, name: string, cause: Fault): Fault {
  const needed = `It needs ${tlsValues.join(', ')} in tenant "${tenant}"`
  return new Fault('secret_not_found', `${cause.message}. ${needed}: the certificate that Docker is spoken to with`, {
    issues: [{ path: 'spec.docker.tls.secret', message: `"${name}" is not a whole certificate` }],
    cause,
  })
}

/**
 * What is ours on a daemon is told by the mark of the installation alone, so two Providers on one would each take what the
 * other has for its own. The address does not tell: one daemon can listen at several.
 */
async function claim(taken: Map<string, string>, name: string, api: DockerApi, call: Call): Promise<string> {
  const { ID, DockerRootDir, Name } = await api.system.info(call)
  // The id alone is not enough: machines that were copied have the same.
  const daemon = JSON.stringify([ID, Name, DockerRootDir])
  const holder = taken.get(daemon)
  if (holder !== undefined && holder !== name) {
    const message = `This is the engine of the Provider "${holder}" already, and two cannot share one; use that one`
    throw new Fault('engine_taken', message, {
      issues: [{ path: 'spec.docker.endpoint', message: `is where "${holder}" is` }],
    })
  }
  taken.set(daemon, name)
  return daemon
}

function isNear(endpoint: Endpoint): boolean {
  return 'socket' in endpoint
}
