/** A workload that talks: two services, and lines whose number is known. */
import { settled, webWorkload } from '@gantry/server/testing'
import { type CliSystem, startCliSystem } from './cli-system.ts'

const program = `
const { createServer } = require('node:http')
const { WHO, PORT } = process.env
console.log('hello from ' + WHO)
console.error('trouble of ' + WHO)
if (PORT) createServer((request, response) => {
  console.log('asked for ' + request.url)
  if (request.url === '/crash') process.exit(7)
  response.end('answer of ' + process.pid)
}).listen(Number(PORT), '127.0.0.1')
else setInterval(() => undefined, 60_000)
process.on('SIGTERM', () => process.exit(0))
`

/** A system in which one called `web` is up. */
export async function startTalkingSystem(replicas?: number): Promise<CliSystem> {
  const cli = await startCliSystem()
  try {
    await cli.system.client.tenant('default').workloads.put(talkingWorkload('web', replicas))
    await settled(cli.system.client, 'web')
    return cli
  } catch (error) {
    await cli.dispose()
    throw error
  }
}

function talkingWorkload(name: string, replicas = 2) {
  // A Node that processes of other users can run.
  const [node = ''] = webWorkload({ name }).spec.services[0]?.command ?? []
  const command = [node, '-e', program]
  return {
    apiVersion: 'gantry/v1' as const,
    kind: 'Workload' as const,
    metadata: { name },
    spec: {
      replicas,
      services: [
        {
          name: 'web',
          command,
          env: { WHO: 'web' },
          ports: [{ name: 'http', port: 8080 }],
          // Without one a process counts as ready when it runs, which may be before it listens.
          healthCheck: { tcp: { port: 'http' } },
        },
        { name: 'side', role: 'sidecar' as const, command, env: { WHO: 'side' } },
      ],
      strategy: { minReadySeconds: 0 },
    },
  }
}
