// A small web server: what Gantry runs in `examples/hello`. It reads its port and its greeting from the environment,
// says when it is healthy, and ends in order when it is asked to.
import { createServer } from 'node:http'

const { PORT = '8080', GREETING = 'hello' } = process.env

const server = createServer((request, response) => {
  if (request.url === '/healthz') return response.end('ok\n')
  console.log(`${request.method} ${request.url}`)
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end(`${GREETING} from process ${process.pid}\n`)
})

server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${PORT}`))

process.once('SIGTERM', () => {
  console.log('asked to end')
  server.close(() => console.log('ended'))
  server.closeIdleConnections()
})
