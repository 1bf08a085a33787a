/** What the benches of Docker run on: a daemon that nobody else uses, the whole program with it as its provider, and clients. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DockerAddress, startPrivate } from '@gantry/engines'
import { type System, startSystem } from '@gantry/server/testing'
import { once, type Program } from '../cli-cold/timed.ts'

type Call = { readonly signal: AbortSignal }

export type Daemon = {
  readonly address: DockerAddress
  /** For files of the bench. */
  readonly folder: string
  /** Milliseconds that a client of the daemon takes: `docker`, or another program that finds the daemon in the same way. */
  client(file: string, args: readonly string[]): Promise<number>
  close(): Promise<void>
}

export type Stage = Daemon & { readonly system: System }

export async function openDaemon(call: Call): Promise<Daemon> {
  const daemon = await startPrivate('docker', call)
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-docker-'))
  const { address } = daemon
  // Nothing of what a user has set for a Docker of their own.
  const env = { PATH: process.env.PATH, HOME: folder, DOCKER_CONFIG: folder, DOCKER_HOST: `unix://${address.socket}` }
  return {
    address,
    folder,
    client: (file, args) => once({ file, args, env } satisfies Program, call.signal),
    async close() {
      await daemon.stop({ signal: AbortSignal.timeout(60_000) })
      await rm(folder, { recursive: true })
    },
  }
}

export async function openStage(call: Call): Promise<Stage> {
  const daemon = await openDaemon(call)
  const system = await startSystem()
  const close = async (): Promise<void> => {
    const left = await system.dispose()
    await daemon.close()
    if (left.length > 0) throw new Error(`left over: ${left.join('; ')}`)
  }
  try {
    await system.start()
    const { socket, subnets } = daemon.address
    const docker = { endpoint: `unix://${socket}`, subnets }
    await system.client.providers.put(
      {
        apiVersion: 'gantry/v1',
        kind: 'Provider',
        metadata: { name: 'docker' },
        spec: { type: 'docker', tenants: ['*'], docker },
      },
      call,
    )
    return { ...daemon, system, close }
  } catch (error) {
    await close()
    throw error
  }
}
