/** The edge's end of the control socket. */
import { chmod, mkdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { Fault } from '@gantry/core'
import { readLines, writeLine } from './lines.ts'
import type { EdgeAnswer, EdgeState } from './protocol.ts'
import { type ReadQuestion, readQuestion } from './question-schema.ts'

export type ControlHandlers = {
  readonly state: () => EdgeState
  readonly answer: (question: ReadQuestion) => Promise<EdgeAnswer>
}

export type ControlServer = { readonly close: () => Promise<void> }

/** Refused with `already_exists` where another edge answers at this path; what a dead one left behind is replaced. */
export async function openControl(path: string, handlers: ControlHandlers): Promise<ControlServer> {
  if (await answers(path)) {
    throw new Fault('already_exists', `Another edge runs already: it answers at ${path}. Stop that one first`)
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await unlink(path).catch(ignoreAbsent)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The other side has gone: it will connect again, and there is nobody to tell.
    socket.on('error', () => socket.destroy())
    talk(socket, handlers)
  })
  await listening(server, path)
  await chmod(path, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.end()
      }),
  }
}

function talk(socket: Socket, { state, answer }: ControlHandlers): void {
  writeLine(socket, { id: 0, hello: state() } satisfies EdgeAnswer)
  // One after the other, so that the answers come in the order of the questions.
  let last: Promise<void> = Promise.resolve()
  readLines(socket, (value) => {
    const question = readQuestion(value)
    if (!question) {
      socket.destroy(new Error('a question of the control socket does not read'))
      return
    }
    last = last.then(async () => writeLine(socket, await answer(question))).catch((error) => void socket.destroy(error))
  })
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const message = `The control socket ${path} cannot be made. Paths of sockets are at most 107 bytes long; is it longer?`
      reject(new Fault('unexpected', message, { cause: error, detail: error.message }))
    })
    server.listen(path, resolve)
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

function ignoreAbsent(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
