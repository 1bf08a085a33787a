/** How long three services on Docker take from their apply until all are healthy, against Docker Compose. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { installCompose } from './docker/compose.ts'
import { composeFile } from './docker/compose-files.ts'
import { openStage, type Stage } from './docker/stage.ts'
import { becomesReady, goes, type WebService, webWorkload } from './docker/workloads.ts'
import { contest, type Peer } from './rounds.ts'

const services: readonly WebService[] = [
  { name: 'web', port: 8080, says: 'web' },
  { name: 'cache', port: 8081, says: 'cache', role: 'sidecar', after: 'web' },
  { name: 'agent', port: 8082, says: 'agent', role: 'sidecar' },
]

export const dockerUp: Bench = {
  name: 'docker-up',
  about:
    'From the apply of a workload of three services with http checks, one of which waits for another to be healthy, until ' +
    'the API says that it is ready; against `docker compose up --wait` of the same on the same daemon, which checks every ' +
    'second. Server and daemon run already, image and network are there; what was started is removed between rounds.',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const stage = await openStage(context)
    try {
      let started = 0
      const ours = async (): Promise<number> => {
        const name = `three-${++started}`
        const from = performance.now()
        const { metadata } = await stage.system.client
          .tenant('default')
          .workloads.put(webWorkload(name, stage.address.image, services), context)
        const asked = { name, generation: metadata.generation, since: metadata.resourceVersion }
        await becomesReady(stage.system, asked, context)
        const ms = performance.now() - from
        await goes(stage.system, name, context)
        return ms
      }
      const peer = await compose(stage, context)
      return [await contest(context, { case: 'apply to ready, 3 services', better: 'lower', ours, peer, reach: 0.6 })]
    } finally {
      await stage.close()
    }
  },
}

async function compose(stage: Stage, call: { readonly signal: AbortSignal }): Promise<Peer> {
  const name = 'docker compose up --wait'
  const found = await installCompose(call)
  if ('missing' in found) return { name, missing: found.missing }
  const file = join(stage.folder, 'three.json')
  await writeFile(file, composeFile(stage.address.image, services))
  const of = (...args: readonly string[]) => stage.client(found.program, ['-p', 'three', '-f', file, ...args])
  return {
    name,
    async run() {
      const ms = await of('up', '--wait')
      // The network stays, as that of the tenant does.
      await of('rm', '--stop', '--force')
      return ms
    },
  }
}
