/** `gantry serve`: the control plane with a data folder and a socket. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '@gantry/core'
import type { Log } from '../app/log.ts'
import { newTokenText } from '../auth/token-text.ts'
import { createControlPlane } from '../control-plane.ts'
import type { ControlPlaneOptions } from '../control-plane-options.ts'
import { dockerFactory } from '../providers/docker-factory.ts'
import { kubernetesFactory } from '../providers/kubernetes-factory.ts'
import { localFactory } from '../providers/local-factory.ts'
import { simulatedFactory } from '../providers/simulated-factory.ts'
import { keySource } from '../vault/key-source.ts'
import { addContext } from './contexts.ts'
import type { ServeOptions } from './options.ts'
import { privateFolder, readIfThere, writePrivate } from './private-files.ts'

export type Serving = {
  readonly address: string
  /** Where the token of the first start was written; only then. */
  readonly tokenFile?: string
  stop(): Promise<void>
}

/** For whoever watches a server, or breaks it: parts of it in the place of its own. */
export type OtherParts = Pick<ControlPlaneOptions, 'wrapStore' | 'wrapEdge'> &
  Partial<Pick<ControlPlaneOptions, 'providers'>>

export async function serve(options: ServeOptions, log: Log, call: Call, parts: OtherParts = {}): Promise<Serving> {
  await privateFolder(options.data)
  const tokenFile = join(options.data, 'admin.token')
  let token: string | undefined
  /** The file comes first: a crash in between leaves a text that the next start takes up, and no token that nobody has. */
  const claim = async (): Promise<string> => {
    token = (await readIfThere(tokenFile))?.trim() || newTokenText()
    await writePrivate(tokenFile, `${token}\n`)
    return token
  }
  const plane = createControlPlane({
    database: options.database,
    providers: {
      ...(!options.bare && { local: localFactory({ dataDir: options.data }) }),
      docker: dockerFactory(),
      kubernetes: kubernetesFactory({ dataDir: options.data }),
      // What only pretends is offered only where that was asked for.
      ...(options.simulated && { simulated: simulatedFactory() }),
    },
    ...(!options.bare && { firstProvider: 'local' }),
    edge: options.bare ? false : 'process',
    edgeListen: options.edge,
    data: options.data,
    keys: keySource({ type: 'file', path: join(options.data, 'master.key') }),
    claim,
    logger: log,
    processMetrics: true,
    ...parts,
  })
  const tls = options.tls && { cert: await readFile(options.tls.cert), key: await readFile(options.tls.key) }
  try {
    const address = await plane.listen({ host: options.host, port: options.port, ...(tls && { tls }) }, call)
    if (token !== undefined) await addContext(options.contexts, 'local', { server: address, token })
    log.info('listening', { address })
    return { address, stop: () => plane.stop(), ...(token !== undefined && { tokenFile }) }
  } catch (error) {
    await plane.stop()
    throw error
  }
}
