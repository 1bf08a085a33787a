/** How long one look at many containers takes, against the client's. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Bench } from './bench.ts'
import { openCrowd } from './docker/crowd.ts'
import { type Daemon, openDaemon } from './docker/stage.ts'
import { contest } from './rounds.ts'

const run = promisify(execFile)

const count = 200

export const dockerStatus: Bench = {
  name: 'docker-status',
  about:
    `One look of the engine at a workload of ${count} replicas: the daemon is asked for the list anew, and about each ` +
    'container that is not as it was known; against `docker inspect` of them all, a program that starts first (some 20 ms).',
  unit: 'ms',
  better: 'lower',
  async run(context) {
    const daemon = await openDaemon(context)
    try {
      context.say(`${count} containers are started`)
      const crowd = await openCrowd(daemon, count, context)
      const ids = await idsOf(daemon)
      const ours = async (): Promise<number> => {
        const from = performance.now()
        const ready = await crowd.look()
        const ms = performance.now() - from
        if (ready !== count) throw new Error(`Of ${count} replicas, ${ready} were seen to be ready`)
        return ms
      }
      const peer = { name: 'docker inspect', run: () => daemon.client('docker', ['inspect', ...ids]) }
      try {
        return [await contest(context, { case: `${count} containers`, better: 'lower', ours, peer, reach: 1 })]
      } finally {
        await crowd.close()
      }
    } finally {
      await daemon.close()
    }
  },
}

async function idsOf({ address }: Daemon): Promise<string[]> {
  const { stdout } = await run('docker', ['--host', `unix://${address.socket}`, 'ps', '--quiet'])
  const ids = stdout.trim().split('\n')
  if (ids.length !== count)
    throw new Error(`There are ${ids.length} containers, and not one for each of ${count} replicas`)
  return ids
}
