/** The process behind both proxies: as cheap as an HTTP server can be, so that the proxies are what is measured. */
import { createServer } from 'node:net'

const body = 'x'.repeat(512)
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ndate: Thu, 01 Jan 2026 00:00:00 GMT\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
)
const endOfHead = Buffer.from('\r\n\r\n')

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy())
  // Requests have no body and come one at a time, so one ends where its head does.
  socket.on('data', (chunk) => {
    if (chunk.subarray(-4).equals(endOfHead)) socket.write(answer)
  })
})

server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
process.on('disconnect', () => process.exit(0))
