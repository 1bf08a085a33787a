/** A service to be kept busy: says which release it is, takes its time to be ready and to end, and crashes when asked. */
import { reachable } from '@gantry/providers/testing'

/** For `node -e`: a workload's command is an argv, so the program can travel in it. */
export const webProgram = `
const { createServer } = require('node:http')
const { PORT, LISTEN = '127.0.0.1', SAYS = 'v1', READY_MS = '0', STOP_MS = '0', FAILS = '' } = process.env
const began = Date.now()
const server = createServer((request, response) => {
  if (request.url === '/healthz') {
    response.statusCode = FAILS !== 'health' && Date.now() - began >= Number(READY_MS) ? 200 : 503
    return response.end()
  }
  if (request.url === '/crash') process.exit(7)
  response.setHeader('content-type', 'text/plain')
  response.end(SAYS)
})
if (FAILS === 'start') { console.error('cannot start: the answer is 42'); process.exit(3) }
server.listen(Number(PORT), LISTEN)
process.on('SIGTERM', () => setTimeout(() => process.exit(0), Number(STOP_MS)))
`

export type WebOptions = {
  readonly name: string
  readonly env?: Readonly<Record<string, string>>
  readonly replicas?: number
  readonly strategy?: object
  readonly more?: object
}

export function webWorkload({ name, env = {}, replicas = 2, strategy = {}, more = {} }: WebOptions) {
  return {
    apiVersion: 'gantry/v1' as const,
    kind: 'Workload' as const,
    metadata: { name },
    spec: {
      replicas,
      services: [
        {
          name: 'web',
          command: [reachable(process.execPath), '-e', webProgram],
          env,
          ports: [{ name: 'http', port: 8080 }],
          healthCheck: { http: { port: 'http', path: '/healthz' } },
        },
      ],
      strategy: { minReadySeconds: 0, ...strategy },
      ...more,
    },
  }
}
