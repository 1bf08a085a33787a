/**
 * One kept connection that asks and reads, as little as HTTP/1.1 lets one do: whoever asks must be faster than any server
 * it measures, or it would measure itself. Text is taken as one byte a character, which the benches' requests are.
 */
import { connect, type Socket } from 'node:net'

export interface Connection {
  /** Sends the text and resolves with the status once the answer was read to its end. One at a time. */
  ask(request: string): Promise<number>
  close(): void
}

export function openConnection(host: string, port: number): Promise<Connection> {
  const socket = connect({ host, port, noDelay: true })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(connectionOf(socket))
    })
  })
}

type Waiting = { readonly resolve: (status: number) => void; readonly reject: (error: Error) => void }

function connectionOf(socket: Socket): Connection {
  let waiting: Waiting | undefined
  let text = ''
  const fail = (error: Error): void => {
    waiting?.reject(error)
    waiting = undefined
  }
  socket.setEncoding('latin1')
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the connection was closed before the answer')))
  socket.on('data', (more) => {
    text += more
    const status = wholeAnswer(text)
    if (status === undefined) return
    text = ''
    const done = waiting
    waiting = undefined
    done?.resolve(status)
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    close: () => socket.destroy(),
  }
}

/** The status, once the text is an answer to its end. */
function wholeAnswer(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  if (length === undefined) throw new Error('an answer of unknown length')
  return text.length < end + 4 + Number(length) ? undefined : Number(text.slice(9, 12))
}
