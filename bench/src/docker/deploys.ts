/** Both sides of a deploy: one service that is up, is asked all the time, and gets another environment. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@gantry/server/testing'
import { freePorts } from '../start-local/free-ports.ts'
import { installCompose } from './compose.ts'
import { composeFile } from './compose-files.ts'
import type { Daemon, Stage } from './stage.ts'
import { type Witness, witness } from './witness.ts'
import { becomesReady, webWorkload } from './workloads.ts'

type Call = { readonly signal: AbortSignal }

export type Deploys = {
  /** Milliseconds until the new one is healthy and the old one is gone. */
  deploy(says: string): Promise<number>
  readonly witness: Witness
}

const name = 'shop'
const port = 8080

export async function openOurs({ system, address }: Stage, call: Call): Promise<Deploys> {
  const { workloads } = system.client.tenant('default')
  const { metadata } = await workloads.put(webWorkload(name, address.image, [{ name: 'web', port, says: 'v0' }]), call)
  const { generation, resourceVersion: since } = metadata
  await becomesReady(system, { name, generation, since }, call)
  const asked = witness({ port: system.edgePort, host: `${name}.default.localhost` })
  await begun(asked)
  return {
    witness: asked,
    async deploy(says) {
      const from = performance.now()
      const { metadata } = await workloads.deploy(name, { services: [{ name: 'web', env: { SAYS: says } }] }, call)
      const { generation, resourceVersion: since } = metadata
      await becomesReady(system, { name, generation, since }, call)
      return performance.now() - from
    },
  }
}

export async function openCompose(stage: Daemon, call: Call): Promise<Deploys | { readonly missing: string }> {
  const found = await installCompose(call)
  if ('missing' in found) return found
  const [published = 0] = await freePorts(1)
  const file = join(stage.folder, 'shop.json')
  const deploy = async (says: string): Promise<number> => {
    await writeFile(file, composeFile(stage.address.image, [{ name: 'web', port, says, published }]))
    return stage.client(found.program, ['-p', name, '-f', file, 'up', '-d', '--wait'])
  }
  await deploy('v0')
  const asked = witness({ port: published, host: 'localhost' })
  await begun(asked)
  return { witness: asked, deploy }
}

/** The table reaches the edge a moment after the workload is ready; from the first answer on, every failure counts. */
async function begun(asked: Witness): Promise<void> {
  const heard = async () => asked.heard()
  await until('the first release to answer', heard, (body) => body === 'v0')
  asked.takeFailed()
}
