import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, Fault, systemClock } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ClusterUser } from '../config/cluster-config.ts'
import { credentialsOf } from '../config/credentials/credentials-of.ts'
import { addressOf } from './address.ts'
import { chunksOf } from './body.ts'
import { httpWire } from './http-wire.ts'
import { bodyOf, type Certificate, type Scripted, sayJson, scripted, selfSigned } from './testing/scripted-server.ts'
import type { Wire } from './wire.ts'

const call = { signal: AbortSignal.timeout(900_000) }
const question = { method: 'GET', path: '/api/v1/pods' } as const
const change = { method: 'POST', path: '/api/v1/pods', json: { a: 1 } } as const

describe('the wire to a server', () => {
  let certificate: Certificate
  let missing = ''
  const running: Scripted[] = []
  const wires: Wire[] = []
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-k8s-exec-'))
    try {
      certificate = selfSigned()
    } catch (error) {
      missing = `openssl made no certificate: ${String(error)}`
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  afterEach(async () => {
    for (const wire of wires.splice(0)) wire.close()
    await Promise.all(running.splice(0).map((each) => each.end()))
  })

  type Played = { readonly wire: Wire; readonly server: Scripted }
  type Playing = { readonly clock?: Clock; readonly user?: ClusterUser; readonly ca?: string }

  async function play(answer: RequestListener, { clock = systemClock, user, ca }: Playing = {}): Promise<Played> {
    const server = await scripted(certificate, answer, user)
    running.push(server)
    const address = addressOf(server.config.server, { insecure: false, ca: ca ?? certificate.cert })
    const credentials = credentialsOf(server.config, { clock, env: {} })
    const wire = httpWire(address, credentials, { clock, answerMs: 5_000, as: 'me (here)' })
    wires.push(wire)
    return { wire, server }
  }

  it('keeps its connection, and sends who asks, for what, with what', async ({ skip }) => {
    if (missing) return skip(missing)
    const seen: unknown[] = []
    const { wire, server } = await play(async (request, response) => {
      const { authorization, accept, 'content-type': type } = request.headers
      seen.push([request.method, request.url, authorization, accept, type, await bodyOf(request)])
      sayJson(response, { ok: true })
    })
    expect(String(await wire.ask(question, call))).toBe('{"ok":true}')
    await wire.ask({ ...change, method: 'PATCH', contentType: 'application/merge-patch+json' }, call)
    await wire.ask({ ...question, accept: 'text/plain' }, call)
    expect(seen).toEqual([
      ['GET', '/api/v1/pods', 'Bearer good', 'application/json', undefined, ''],
      ['PATCH', '/api/v1/pods', 'Bearer good', 'application/json', 'application/merge-patch+json', '{"a":1}'],
      ['GET', '/api/v1/pods', 'Bearer good', 'text/plain', undefined, ''],
    ])
    expect(server.connections.size).toBe(1)
  })

  it('believes nobody else, and says that nobody is there', async ({ skip }) => {
    if (missing) return skip(missing)
    const { wire } = await play((_, response) => sayJson(response, {}), { ca: selfSigned().cert })
    await expect(wire.ask(question, call)).rejects.toMatchObject({ reason: 'engine_unreachable' })
    const nobody = addressOf('https://127.0.0.1:1', { insecure: true })
    const credentials = credentialsOf({ server: '', user: { name: 'u' }, origin: '' }, { clock: systemClock, env: {} })
    const away = httpWire(nobody, credentials, { clock: systemClock, answerMs: 5_000, as: 'me' })
    await expect(away.ask(question, call)).rejects.toMatchObject({
      reason: 'engine_unreachable',
      message: expect.stringMatching(/https:\/\/127.0.0.1:1 does not answer \(.*ECONNREFUSED/),
    })
    await expect(away.socket('/x', ['v5.channel.k8s.io'], call)).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it.for(['ask', 'open', 'socket'] as const)(
    'gives up a server that takes a question and never answers: %s',
    async (how, { skip }) => {
      if (missing) return skip(missing)
      const clock = new VirtualClock()
      let tellAsked = (): void => undefined
      const asked = new Promise<void>((resolve) => {
        tellAsked = resolve
      })
      const { wire, server } = await play(() => tellAsked(), { clock })
      server.server.on('upgrade', () => tellAsked())
      const answer = how === 'socket' ? wire.socket('/x', ['v5.channel.k8s.io'], call) : wire[how](question, call)
      const outcome = expect(answer).rejects.toMatchObject({ reason: 'deadline_exceeded' })
      await asked
      await clock.advance(5_000)
      await outcome
    },
  )

  it('gives up a server that begins an answer and never ends it', async ({ skip }) => {
    if (missing) return skip(missing)
    const clock = new VirtualClock()
    let tellAsked = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve
    })
    const { wire } = await play(
      (_, response) => {
        response.write('{', () => tellAsked())
      },
      { clock },
    )
    const outcome = expect(wire.ask(question, call)).rejects.toMatchObject({ reason: 'deadline_exceeded' })
    await asked
    await clock.advance(5_000)
    await outcome
  })

  it('rethrows the reason of a caller who leaves', async ({ skip }) => {
    if (missing) return skip(missing)
    const reason = new Error('left')
    const caller = new AbortController()
    const { wire } = await play(() => caller.abort(reason))
    await expect(wire.ask(question, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(wire.ask(question, caller)).rejects.toBe(reason)
  })

  it('tells an answer that breaks off from one that ends', async ({ skip }) => {
    if (missing) return skip(missing)
    const { wire } = await play((_, response) => {
      response.write('half', () => response.destroy())
    })
    await expect(wire.ask(question, call)).rejects.toMatchObject({ reason: 'engine_unreachable' })
  })

  it('asks again on a kept connection that was closed, and sends only that twice which is harmless', async ({
    skip,
  }) => {
    if (missing) return skip(missing)
    const seen: string[] = []
    const { wire, server } = await play(async (request, response) => {
      await bodyOf(request)
      seen.push(`${request.method} ${request.url}`)
      // A connection that has been used once is dead for the next question.
      if (used.has(request.socket)) request.socket.destroy()
      else sayJson(response, {})
      used.add(request.socket)
    })
    const used = new WeakSet<object>()
    await wire.ask(question, call)
    await wire.ask(question, call)
    expect(seen).toEqual(['GET /api/v1/pods', 'GET /api/v1/pods', 'GET /api/v1/pods'])
    seen.length = 0
    await expect(wire.ask(change, call)).rejects.toMatchObject({ reason: 'engine_unreachable' })
    expect(seen).toEqual(['POST /api/v1/pods'])
    await wire.ask(question, call)
    seen.length = 0
    await wire.ask({ ...change, method: 'PATCH', harmless: true }, call)
    expect(seen).toEqual(['PATCH /api/v1/pods', 'PATCH /api/v1/pods'])
    expect(server.connections.size).toBe(1)
  })

  it('waits once where a server says when to come again, and then says so', async ({ skip }) => {
    if (missing) return skip(missing)
    const clock = new VirtualClock()
    let refusals = 1
    const said = { kind: 'Status', reason: 'TooManyRequests', message: 'slow down' }
    let asked = 0
    const { wire } = await play(
      (_, response) => {
        asked += 1
        if (refusals-- > 0) sayJson(response, said, 429, { 'retry-after': '1' })
        else sayJson(response, {})
      },
      { clock },
    )
    // Its deadline and its wait.
    const waits = () => vi.waitUntil(() => clock.pending === 2)
    const heeded = wire.ask(change, call)
    await waits()
    await clock.advance(1_000)
    await heeded
    expect(asked).toBe(2)
    refusals = 5
    asked = 0
    const refused = expect(wire.ask(question, call)).rejects.toMatchObject({
      reason: 'too_many_requests',
      retryAfterMs: 1_000,
    })
    await waits()
    await clock.advance(1_000)
    await refused
    expect(asked).toBe(2)
  })

  it('does not wait where that would be long', async ({ skip }) => {
    if (missing) return skip(missing)
    let asked = 0
    const { wire } = await play((_, response) => {
      asked += 1
      sayJson(response, { kind: 'Status', message: 'busy' }, 503, { 'retry-after': '60' })
    })
    await expect(wire.ask(question, call)).rejects.toMatchObject({ reason: 'engine_unreachable', retryAfterMs: 60_000 })
    expect(asked).toBe(1)
  })

  it('signs in anew once where it was refused, for questions, changes and sockets', async ({ skip }) => {
    if (missing) return skip(missing)
    const seen: (string | undefined)[] = []
    const exec = tokens(folder)
    const { wire } = await play(
      async (request, response) => {
        await bodyOf(request)
        seen.push(request.headers.authorization)
        if (request.headers.authorization === 'Bearer token-0') sayJson(response, { kind: 'Status' }, 401)
        else sayJson(response, {})
      },
      { user: { name: 'u', exec } },
    )
    await wire.ask(change, call)
    expect(seen).toEqual(['Bearer token-0', 'Bearer token-1'])
  })

  it('says who is not known where nothing else is there to sign in with', async ({ skip }) => {
    if (missing) return skip(missing)
    const { wire, server } = await play((_, response) =>
      sayJson(response, { kind: 'Status', message: 'Unauthorized' }, 401),
    )
    server.server.on('upgrade', (_request, socket) => {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
    const refused = {
      reason: 'engine_unauthenticated',
      message: expect.stringMatching(/^Kubernetes does not know me \(here\)/),
    }
    await expect(wire.ask(question, call)).rejects.toMatchObject(refused)
    await expect(wire.open(question, call)).rejects.toMatchObject(refused)
    await expect(wire.socket('/x', ['v5.channel.k8s.io'], call)).rejects.toMatchObject(refused)
  })

  it('tells why a socket was refused', async ({ skip }) => {
    if (missing) return skip(missing)
    const { wire, server } = await play((_, response) => sayJson(response, {}))
    const body = JSON.stringify({ kind: 'Status', reason: 'NotFound', message: 'pods "p" not found' })
    server.server.on('upgrade', (_request, socket) => {
      socket.end(`HTTP/1.1 404 Not Found\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
    })
    await expect(wire.socket('/x', ['v5.channel.k8s.io'], call)).rejects.toMatchObject({
      reason: 'engine_object_not_found',
      message: 'Kubernetes refused: pods "p" not found',
    })
  })

  it('keeps a stream after its deadline, which was for its beginning', async ({ skip }) => {
    if (missing) return skip(missing)
    const clock = new VirtualClock()
    let end = (): void => undefined
    const { wire } = await play(
      (_, response) => {
        response.write('first')
        end = () => void response.end('last')
      },
      { clock },
    )
    const stream = await wire.open(question, call)
    await clock.advance(60_000)
    let text = ''
    for await (const chunk of chunksOf(stream, call, (cause) => new Fault('unexpected', String(cause)))) {
      text += String(chunk)
      if (text === 'first') end()
    }
    expect(text).toBe('firstlast')
  })

  it('answers with a fault, never with an error of another kind', async ({ skip }) => {
    if (missing) return skip(missing)
    const { wire } = await play((request) => void request.socket.destroy())
    await expect(wire.ask(question, call)).rejects.toBeInstanceOf(Fault)
  })
})

/** A sign-in program that says another token each time. */
function tokens(folder: string) {
  const script = `const fs = require('node:fs'); const log = process.argv[1]
    const count = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').length : 0
    fs.appendFileSync(log, 'x')
    console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: 'token-' + count } }))`
  const log = join(folder, 'log')
  return {
    apiVersion: 'client.authentication.k8s.io/v1' as const,
    command: process.execPath,
    args: ['-e', script, log],
    env: {},
    provideClusterInfo: false,
  }
}
