// A small web server in a container: says its greeting and which build it is, and ends in order when it is asked to.
import { createServer } from 'node:http'
import { hostname } from 'node:os'

const { PORT = '8080', GREETING = 'hello', BUILT } = process.env

const server = createServer((request, response) => {
  if (request.url === '/healthz') return response.end('ok\n')
  console.log(`${request.method} ${request.url}`)
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end(`${GREETING} from ${hostname()}, built ${BUILT}\n`)
})

server.listen(Number(PORT), () => console.log(`listening on ${PORT}`))

process.once('SIGTERM', () => {
  console.log('asked to end')
  server.close(() => process.exit())
  server.closeIdleConnections()
})
