/** The whole of it with a Docker Engine of its own as the provider, on which nothing may be left at the end. */
import type { Client } from '@gantry/api'
import type { Call } from '@gantry/core'
import { type DockerAddress, startPrivate } from '@gantry/engines'
import { connectDocker } from '@gantry/providers/docker'
import { testedDocker } from '@gantry/providers/testing'
import { type System, startSystem } from '../../whole/testing/system.ts'
import { until } from '../../whole/testing/until.ts'
import { type WebOptions, webProgram, webWorkload } from '../../whole/testing/web-program.ts'
import { loadNodeImage, nodeImage } from './node-image.ts'

const provider = 'docker'

export async function startDockerSystem(): Promise<System> {
  const call = { signal: AbortSignal.timeout(15 * 60_000) }
  const engine = await startPrivate(testedDocker, call)
  await loadNodeImage(engine.address, call)
  const system = await startSystem()
  let isTold = false
  return {
    ...system,
    get pid() {
      return system.pid
    },
    async start(env) {
      await system.start(env)
      if (isTold) return
      isTold = true
      await putDocker(system.client, engine.address)
    },
    async dispose() {
      try {
        // Before the server goes, which takes away what was deleted.
        const containers = await containersLeft(engine.address, call)
        return [...containers, ...(await system.dispose())]
      } finally {
        await engine.stop(call)
      }
    },
  }
}

/** The Provider that workloads of `dockerWeb` are for. */
export async function putDocker(client: Client, { socket, subnets }: DockerAddress): Promise<void> {
  await client.providers.put({
    apiVersion: 'gantry/v1',
    kind: 'Provider',
    metadata: { name: provider },
    spec: { type: 'docker', docker: { endpoint: `unix://${socket}`, subnets } },
  })
}

/** The web program in a container, which only others than its own machine ask. */
export function dockerWeb({ env = {}, ...options }: WebOptions) {
  const { spec, ...workload } = webWorkload({ ...options, env: { ...env, LISTEN: '0.0.0.0' } })
  const services = spec.services.map((service) => ({
    ...service,
    image: nodeImage,
    imagePullPolicy: 'never' as const,
    command: ['node', '-e', webProgram],
  }))
  return { ...workload, spec: { ...spec, provider, services } }
}

async function containersLeft({ socket }: DockerAddress, call: Call): Promise<string[]> {
  const docker = await connectDocker({ socket }, call)
  const look = async () => (await docker.containers.list({ all: true }, call)).map(({ Names }) => Names.join())
  try {
    return await until('no container to be left', look, (left) => left.length === 0, { withinMs: 30_000 }).catch(look)
  } finally {
    docker.close()
  }
}
