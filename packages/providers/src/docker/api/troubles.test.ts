import { type PrivateEngine, startPrivate } from '@gantry/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realDocker } from '../../testing/real-docker.ts'
import type { DockerApi } from './api.ts'
import { connectDocker } from './connect.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }

describe('an engine in trouble', () => {
  let own: { readonly engine: PrivateEngine<'docker'>; readonly docker: DockerApi } | undefined
  let missing = ''
  beforeAll(async () => {
    const shared = await realDocker()
    if ('missing' in shared) {
      missing = shared.missing
      return
    }
    await shared.end()
    const engine = await startPrivate('docker', call, { dataBytes: String(24 * 1024 * 1024) })
    own = { engine, docker: await connectDocker({ socket: engine.address.socket }, call) }
  })
  afterAll(async () => {
    own?.docker.close()
    await own?.engine.stop(call)
  })

  it('says that its disk is full', async ({ skip }) => {
    if (!own) return skip(missing)
    const { containers } = own.docker
    const { Id } = await containers.create('full', { Image: own.engine.address.image }, call)
    const large = containers.putArchive(Id, '/var', zeros(40 * 1024 * 1024), call)
    await expect(large).rejects.toMatchObject({ reason: 'engine_full' })
    await containers.remove(Id, { force: true, volumes: true }, call)
  })

  it('is unreachable to who waits while it is killed, and there again on the next question', async ({ skip }) => {
    if (!own) return skip(missing)
    const { system, containers } = own.docker
    const { Id } = await containers.create('kept', { Image: own.engine.address.image }, call)
    await containers.start(Id, call)
    const waiting = containers.wait(Id, 'not-running', call)
    const lost = expect(waiting).rejects.toMatchObject({ reason: 'engine_unreachable' })
    const events = await system.events({}, call)
    const listening = (async () => {
      for await (const event of events) void event
    })()
    const cut = expect(listening).rejects.toMatchObject({ reason: 'engine_unreachable' })
    await own.engine.restart('immediate', call)
    await Promise.all([lost, cut])
    expect(await containers.inspect(Id, call)).toMatchObject({ Id, State: { Running: false } })
  })
})

/** An archive of one file of so many zeros: made as it is read. */
async function* zeros(size: number): AsyncGenerator<Uint8Array> {
  const header = Buffer.alloc(512)
  header.write('zeros', 0)
  header.write('0000644\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write('0', 156)
  header.write(
    `${header
      .reduce((total, byte) => total + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  yield header
  for (let sent = 0; sent < size; sent += 65_536) yield Buffer.alloc(Math.min(65_536, size - sent))
  yield Buffer.alloc(1_024)
}
