/** JSON, one value on a line, over a socket that may cut anywhere. */
import type { Socket } from 'node:net'

/** A table of ten thousand routes is a few megabytes; more than this is not one of ours. */
const longestLine = 64 * 1024 * 1024

/** Calls `each` for every whole line. What is not JSON, or never ends, ends the connection. */
export function readLines(socket: Socket, each: (value: unknown) => void): void {
  let parts: string[] = []
  let held = 0
  socket.setEncoding('utf8')
  socket.on('data', (text: string) => {
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      parts.push(text.slice(from, end))
      const line = parts.join('')
      parts = []
      held = 0
      from = end + 1
      const value = parsed(line)
      if (value === undefined) {
        socket.destroy(new Error('a line of the control socket is not JSON'))
        return
      }
      each(value)
    }
    parts.push(text.slice(from))
    held += text.length - from
    if (held > longestLine) socket.destroy(new Error('a line of the control socket does not end'))
  })
}

export function writeLine(socket: Socket, value: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(value)}\n`)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
