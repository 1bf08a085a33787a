import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CutSocket, cutSocket } from './cut-socket.ts'

describe('a socket that can be cut', () => {
  let folder: string
  let server: Server
  let line: CutSocket
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-far-'))
    const far = join(folder, 'far.sock')
    // Answers what it was told, when it was told all.
    server = createServer({ allowHalfOpen: true }, (socket) => {
      let told = ''
      socket.on('data', (bytes) => (told += bytes.toString()))
      socket.on('end', () => socket.end(`heard ${told}`))
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => server.listen(far, resolve))
    line = await cutSocket(far)
  })
  afterEach(async () => {
    await line.dispose()
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  })

  const open = (): Socket => connect({ path: line.path, allowHalfOpen: true })

  it('carries both directions, and the end of each by itself', async () => {
    const socket = open()
    const heard = text(socket)
    socket.end('a word')
    expect(await heard).toBe('heard a word')
  })

  it('ends what is open when it is cut, lets nobody in, and is there again when it is healed', async () => {
    const socket = open()
    const gone = new Promise((resolve) => socket.on('error', () => undefined).once('end', resolve))
    await new Promise((resolve) => socket.once('connect', resolve))
    await line.cut()
    socket.resume()
    await gone
    const refused = await new Promise((resolve) => open().once('error', resolve))
    expect(refused).toMatchObject({ code: 'ENOENT' })
    await line.heal()
    const again = open()
    again.end('more')
    expect(await text(again)).toBe('heard more')
  })
})
