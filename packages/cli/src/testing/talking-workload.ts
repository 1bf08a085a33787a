/** A workload that talks: two services, and lines whose number is known. */
import { webWorkload } from '@gantry/server/testing'

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

export function talkingWorkload(name: string, replicas = 2) {
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
