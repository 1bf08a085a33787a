/** Bytes to a server and back, as no proper client would send them. */
import { connect } from 'node:net'

/** Everything that came until the server closed the connection. */
export function exchange(address: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      answer += chunk
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
    socket.write(text)
  })
}

export const requestOf = (method: string, path: string, headers: Readonly<Record<string, string>>, body = ''): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ host: 'gantry.example', ...headers }).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')
