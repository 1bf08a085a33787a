import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { freePorts, isFree } from './ports.ts'

const call = { signal: new AbortController().signal }

async function holding<T>(work: (port: number) => Promise<T>): Promise<T> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  try {
    return await work(typeof address === 'object' && address ? address.port : 0)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

describe('free ports', () => {
  it('are not those that somebody holds or that are taken, and each is found once', async () => {
    await holding(async (port) => {
      expect(await isFree(port)).toBe(false)
      const range = { from: port, to: port + 20 }
      const found = await freePorts(3, range, new Set([port + 1]), () => 0, call)
      expect(found).toHaveLength(3)
      expect(new Set([...found, port, port + 1]).size).toBe(5)
    })
  })

  it('run out with a sentence that says where', async () => {
    await holding(async (port) => {
      const none = freePorts(1, { from: port, to: port }, new Set(), () => 0, call)
      await expect(none).rejects.toMatchObject({
        reason: 'engine_refused',
        message: expect.stringContaining(`${port}`),
      })
    })
  })
})
