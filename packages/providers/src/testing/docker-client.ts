/** Docker's own client, for tests only: what it shows is compared with what we say. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { DockerAddress } from '@gantry/engines'

export type DockerClient = (...argv: string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>

const run = promisify(execFile)

/** Or why there is none. */
export async function dockerClient({ socket }: DockerAddress): Promise<DockerClient | { readonly missing: string }> {
  const env = { ...process.env, DOCKER_HOST: `unix://${socket}` }
  const client: DockerClient = async (...argv) => await run('docker', argv, { env, maxBuffer: 64 * 1024 * 1024 })
  try {
    await client('--version')
    return client
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { missing: 'There is no client of Docker on this machine: no program docker in PATH' }
  }
}
