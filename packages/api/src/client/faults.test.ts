import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Fault, type FaultKind, type FaultReason, faultReasons, isFault, publicFault } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { input } from '../testing/samples.ts'
import type { Client, ClientOptions } from './client.ts'
import { createClient } from './create-client.ts'
import { requestIdOf } from './remote-fault.ts'

let close: () => void = () => undefined
afterEach(() => close())

async function connect(handle: RequestListener, options: Partial<ClientOptions> = {}): Promise<Client> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  return createClient({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options })
}

const reasons = Object.entries(faultReasons) as [FaultReason, FaultKind][]

/** What a call came to, as the fault that it must have been. */
async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isFault(error)) throw new Error(`not a fault: ${String(error)}`)
  return error
}

function problem(fault: object, requestId = 'req-1'): RequestListener {
  return (_, response) => {
    const { status } = fault as { status: number }
    response.writeHead(status, { 'content-type': 'application/problem+json', 'x-request-id': requestId })
    response.end(JSON.stringify(fault))
  }
}

describe('a fault of the server', () => {
  it.each(reasons)('%s is the same fault here', async (reason, kind) => {
    const sent = new Fault(reason, 'What, why, what next', {
      issues: [{ path: 'spec.a', message: 'must', line: 3 }],
      detail: 'private',
      retryAfterMs: 1500,
    })
    const client = await connect(problem(publicFault(sent)))
    const fault = await faultOf(client.whoami())
    expect(isFault(fault, kind)).toBe(true)
    expect(publicFault(fault)).toEqual(publicFault(sent))
    expect(requestIdOf(fault)).toBe('req-1')
    expect(fault.detail).toBeUndefined()
  })

  it('of a reason that is new keeps its kind', async () => {
    const sent = { ...publicFault(new Fault('quota_exceeded', 'no')), reason: 'credit_exhausted', requestId: 'req-9' }
    const fault = await faultOf((await connect(problem(sent))).whoami())
    expect([fault.kind, fault.message, requestIdOf(fault)]).toEqual(['quota_exceeded', 'no', 'req-9'])
    expect(fault).toMatchObject({ sentReason: 'credit_exhausted' })
  })

  it('of a reason that has moved to another kind is of the kind that the server says', async () => {
    const sent = { ...publicFault(new Fault('version_conflict', 'no')), reason: 'object_not_found' }
    const fault = await faultOf((await connect(problem(sent))).whoami())
    expect(isFault(fault, 'conflict')).toBe(true)
  })

  it('is not asked for the request that it has not got', () => {
    expect(requestIdOf(new Fault('unexpected', 'x'))).toBeUndefined()
    expect(requestIdOf(new Error('x'))).toBeUndefined()
  })
})

describe('an answer that is none', () => {
  const answer =
    (status: number, type: string | undefined, body: string, headers: Record<string, string> = {}): RequestListener =>
    (_, response) => {
      response.writeHead(status, { ...headers, ...(type && { 'content-type': type }) })
      response.end(body)
    }

  it.each<[string, RequestListener, RegExp]>([
    ['a page of a proxy', answer(502, 'text/html', '<h1>Bad gateway</h1>'), /HTTP 502 and text\/html.*in between/],
    ['a page that looks fine', answer(200, 'text/html', '<h1>Welcome</h1>'), /HTTP 200 and text\/html/],
    ['no type at all', answer(200, undefined, '{}'), /HTTP 200, which is not/],
    ['JSON that is cut off', answer(200, 'application/json', '{"name": "x'), /cannot be read/],
    ['nothing', answer(200, 'application/json', ''), /cannot be read/],
    ['JSON of another shape', answer(200, 'application/json', '{"name": 5}'), /something else than it promises: name/],
    ['null', answer(200, 'application/json', 'null'), /something else than it promises/],
    ['a status that is not promised', answer(204, 'application/json', ''), /HTTP 204/],
    ['a way to somewhere else', answer(302, undefined, '', { location: 'http://example.invalid/' }), /sends elsewhere/],
    ['a problem that is none', answer(500, 'application/problem+json', '{"kind": "odd"}'), /HTTP 500/],
    ['a problem that is cut off', answer(500, 'application/problem+json', '{"ki'), /cannot be read/],
  ])('is said to be so: %s', async (_, handle, message) => {
    const fault = await faultOf((await connect(handle)).whoami())
    expect(fault).toMatchObject({ kind: 'unavailable', reason: 'bad_answer' })
    expect(fault.message).toMatch(message)
    expect(fault.message).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
  })

  it('lets through what a newer server adds', async () => {
    const body = { name: 'x', grants: [], since: 'yesterday' }
    const client = await connect(answer(200, 'application/json', JSON.stringify(body)))
    expect(await client.whoami()).toEqual(body)
  })
})

describe('a server that is not there', () => {
  it('is said with its address, and what to do', async () => {
    const client = await connect(() => undefined)
    close()
    const fault = await faultOf(client.whoami())
    expect(fault).toMatchObject({ kind: 'unavailable', reason: 'server_unreachable' })
    expect(fault.message).toBe(
      `Gantry at ${client.server} cannot be reached: nothing listens there. Is "gantry serve" running?`,
    )
  })

  it('has no such name', async () => {
    const fetch = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ENOTFOUND' } }))
    const fault = await faultOf(createClient({ server: 'http://gantry.invalid', fetch }).whoami())
    expect(fault.message).toContain('there is no such host')
  })

  it('went away in the middle, and a write may have been done', async () => {
    const client = await connect((request) => request.socket.destroy())
    const read = await faultOf(client.whoami())
    expect(read.message).toMatch(/the connection was cut$/)
    const write = await faultOf(client.tenants.put(input('Tenant')))
    expect(write.message).toContain('may have been done: look before asking again')
  })

  it('went away in the middle of an answer', async () => {
    const client = await connect((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"name":', () => response.socket?.destroy())
    })
    expect(await faultOf(client.whoami())).toMatchObject({ reason: 'server_unreachable' })
  })

  it('never shows the token', async () => {
    const client = await connect((request) => request.socket.destroy(), { token: 'gantry_canary' })
    const fault = await faultOf(client.whoami())
    expect(`${fault.message} ${fault.stack} ${JSON.stringify(fault)}`).not.toContain('gantry_canary')
  })
})

describe('a call that is given up', () => {
  const silent: RequestListener = () => undefined
  const halfway: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{')
  }

  it.each([
    ['before it began', silent, true],
    ['while nothing comes', silent, false],
    ['while the answer comes', halfway, false],
  ])('ends with the caller’s own reason: %s', async (_, handle, early) => {
    const own = new AbortController()
    const reason = new Error('the user pressed a key')
    let asked: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      asked = resolve
    })
    const client = await connect((request, response) => {
      handle(request, response)
      asked()
    })
    if (early) own.abort(reason)
    const call = client.whoami({ signal: own.signal })
    if (!early) void arrived.then(() => own.abort(reason))
    await expect(call).rejects.toBe(reason)
  })

  it('by its deadline says what took too long', async () => {
    const clock = new VirtualClock()
    let asked: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      asked = resolve
    })
    const client = await connect(() => asked(), { clock })
    const call = faultOf(client.whoami({ timeoutMs: 5000 }))
    await arrived
    await clock.advance(5000)
    const fault = await call
    expect(fault).toMatchObject({ kind: 'deadline', reason: 'deadline_exceeded' })
    expect(fault.message).toContain('/v1/whoami took longer than 5000 ms')
    expect(clock.pending).toBe(0)
  })

  it('leaves no timer behind when it is done', async () => {
    const clock = new VirtualClock()
    const client = await connect(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"status":"ok"}')
      },
      { clock },
    )
    await client.health()
    expect(clock.pending).toBe(0)
  })

  it('by a fetch that does not listen to the signal ends all the same', async () => {
    const own = new AbortController()
    const client = createClient({ server: 'http://gantry.internal', fetch: () => new Promise(() => undefined) })
    const call = client.whoami({ signal: own.signal })
    const reason = new Error('enough')
    own.abort(reason)
    await expect(call).rejects.toBe(reason)
  })
})
