import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { backend, edgeRig, keeper, sayRaw, tableOf, testHost, until } from '../testing/index.ts'

const kept = keeper()

describe('a client that costs more than it may', () => {
  it('is told so when the head of its request does not come', async () => {
    const { port } = kept(await edgeRig({ headersMs: 200 }, tableOf({})))
    expect(await sayRaw(port, `GET / HTTP/1.1\r\nHost: ${testHost}\r\nX-Slow: `)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('is told so when its body stops midway, and the backend is not kept waiting', async () => {
    let aborted = false
    const one = kept(
      await backend('one', (request) => {
        request.resume().on('error', () => undefined)
        request.on('close', () => {
          aborted = true
        })
      }),
    )
    const { port, link } = kept(await edgeRig({ stallMs: 200, lingerMs: 100 }, tableOf({ backends: [one.told] })))
    const heard = await sayRaw(port, `POST / HTTP/1.1\r\nHost: ${testHost}\r\nContent-Length: 10\r\n\r\nhal`)
    expect(heard).toMatch(/^HTTP\/1.1 408 /)
    await until('the backend was let go', () => aborted)
    const { routes } = await link.figures({ signal: new AbortController().signal })
    expect(routes[0]).toMatchObject({ inFlight: 0, requests: 1, failures: { client: 1 } })
  })

  it('is ended when it drips its body, though it is never silent for long', async () => {
    const one = kept(await backend('one', (request) => void request.resume().on('error', () => undefined)))
    const limits = { stallMs: 300, bodyBytesPerSecond: 1000, lingerMs: 100 }
    const { port } = kept(await edgeRig(limits, tableOf({ backends: [one.told] })))
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    let closed = false
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      closed = true
    })
    socket.write(`POST / HTTP/1.1\r\nHost: ${testHost}\r\nContent-Length: 100000\r\n\r\n`)
    await until('the edge gave up', () => {
      if (!closed) socket.write('.')
      return closed
    })
    expect(heard).toMatch(/^HTTP\/1.1 408 /)
  })

  it('is ended when it does not read its answer', async () => {
    const one = kept(
      await backend('one', (_, response) => {
        const chunk = Buffer.alloc(1024 * 1024)
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
          response.once('drain', more)
        }
        more()
      }),
    )
    const { port, link } = kept(await edgeRig({ stallMs: 300 }, tableOf({ backends: [one.told] })))
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write(`GET / HTTP/1.1\r\nHost: ${testHost}\r\n\r\n`)
    const call = { signal: new AbortController().signal }
    await until('the edge gave up', async () => (await link.figures(call)).routes[0]?.failures.client === 1)
    socket.destroy()
  })

  it('is told that its head is too large', async () => {
    const { port } = kept(await edgeRig({ headerBytes: 2048 }, tableOf({})))
    const text = `GET / HTTP/1.1\r\nHost: ${testHost}\r\nX-Large: ${'x'.repeat(4096)}\r\n\r\n`
    expect(await sayRaw(port, text)).toMatch(/^HTTP\/1.1 431 /)
  })

  it('does not keep the backend at work after it has gone', async () => {
    let gone = false
    const one = kept(
      await backend('one', (_, response) => {
        response.on('close', () => {
          gone = true
        })
      }),
    )
    const { port } = kept(await edgeRig({}, tableOf({ backends: [one.told] })))
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET / HTTP/1.1\r\nHost: ${testHost}\r\n\r\n`)
    await until('the request is there', () => one.seen.length === 1)
    socket.destroy()
    await until('the backend knows', () => gone)
  })
})
