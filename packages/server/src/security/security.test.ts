/** What went wrong elsewhere, by name, and does not here. */

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allEndpoints, createClient } from '@gantry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silent } from '../app/log.ts'
import { serveOptions } from '../serve/options.ts'
import { serve } from '../serve/serve.ts'
import { call, type Plane, secretOf, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
beforeAll(async () => {
  plane = await startPlane({ limits: { requestMs: 200, headersMs: 200, checkEveryMs: 50 } })
  for (const name of ['shop', 'bank']) await plane.client.tenants.put(tenantOf(name))
})
afterAll(() => plane.dispose())

describe('takeover of a fresh install', () => {
  it('is not possible: one token of chance, in files that only their owner can read, and no way to set another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-serve-'))
    try {
      const env = { GANTRY_CONTEXTS: join(folder, 'config', 'contexts.json') }
      const options = serveOptions(['--listen', '127.0.0.1:0', '--data', join(folder, 'data')], env)
      const first = await serve(options, silent, call)
      const token = (await readFile(String(first.tokenFile), 'utf8')).trim()
      expect(token).toMatch(/^gantry_[\w-]{43}$/)
      for (const file of [String(first.tokenFile), env.GANTRY_CONTEXTS, join(folder, 'data', 'master.key')]) {
        expect((await stat(file)).mode & 0o777).toBe(0o600)
      }
      expect((await stat(options.data)).mode & 0o777).toBe(0o700)
      expect(JSON.parse(await readFile(env.GANTRY_CONTEXTS, 'utf8'))).toMatchObject({
        current: 'local',
        contexts: { local: { server: first.address, token } },
      })
      expect((await createClient({ server: first.address, token }).whoami()).grants).toEqual([{ role: 'system' }])
      await first.stop()
      const second = await serve(options, silent, call)
      expect(second.tokenFile).toBeUndefined()
      expect((await readFile(join(options.data, 'gantry.sqlite'))).includes(token)).toBe(false)
      await second.stop()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('is not invited: an address that others can reach takes TLS, or a word that something else has it', () => {
    const at = (...more: string[]) => serveOptions(['--listen', '0.0.0.0:7400', ...more], {})
    expect(() => at()).toThrow(/reached from elsewhere/)
    expect(at('--insecure-behind-proxy').host).toBe('0.0.0.0')
    expect(at('--tls-cert', 'c', '--tls-key', 'k').tls).toBeDefined()
    expect(serveOptions([], {}).host).toBe('127.0.0.1')
  })
})

describe('a tenant id from the body', () => {
  it('does not decide where something goes', async () => {
    const { token } = await plane.as('shop', 'operator')
    const body = workloadOf('x', {}, { tenant: 'bank' })
    expect((await plane.send('PUT', '/v1/tenants/shop/workloads/x', { token, body })).status).toBe(400)
    expect((await plane.send('POST', '/v1/apply', { token, body: { objects: [body] } })).status).toBe(404)
    expect(await plane.client.workloads.list().toArray()).toEqual([])
  })
})

describe('a token', () => {
  it('works until it is revoked or has expired, and not a request longer', async () => {
    const { tokens } = plane.client.tenant('shop')
    const { token } = await tokens.create({ name: 'gone', role: 'viewer' })
    expect((await plane.send('GET', '/v1/whoami', { token })).status).toBe(200)
    await tokens.revoke('gone')
    expect((await plane.send('GET', '/v1/whoami', { token })).json.reason).toBe('token_unknown')
    const past = { name: 'past', role: 'viewer', expiresAt: '2020-01-01T00:00:00Z' } as const
    await expect(tokens.create(past)).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('is shown once, and its hash never', async () => {
    const { tokens } = plane.client.tenant('shop')
    const made = await tokens.create({ name: 'once', role: 'viewer' })
    const listed = JSON.stringify(await tokens.list().toArray())
    expect(listed).toContain('once')
    expect(listed).not.toContain(made.token)
    expect(listed).not.toContain('hash')
  })

  it('gives away no more than its owner has', async () => {
    const { token } = await plane.as('shop', 'admin')
    const create = (path: string, body: object) => plane.send('POST', path, { token, body })
    expect((await create('/v1/tenants/shop/tokens', { name: 'up', role: 'system' })).status).toBe(400)
    expect((await create('/v1/tokens', { name: 'up' })).status).toBe(403)
    expect((await create('/v1/tenants/bank/tokens', { name: 'up', role: 'admin' })).status).toBe(404)
  })
})

describe('a path', () => {
  it.each(['..%2f..%2fetc%2fpasswd', '..%5c..', '%2e%2e', 'a%00b', 'A', '-a'])(
    'with %s in it names nothing',
    async (name) => {
      const { token } = await plane.as('shop', 'viewer')
      const { status } = await plane.send('GET', `/v1/tenants/shop/workloads/${name}`, { token })
      expect([400, 404]).toContain(status)
    },
  )

  it('of no endpoint carries a command line', () => {
    const words = allEndpoints.flatMap(({ params, query }) => Object.keys({ ...params.shape, ...query.shape }))
    expect(words.filter((word) => /^(command|cmd|args?|argv|exec|token|secret|password)$/i.test(word))).toEqual([])
  })
})

describe('a secret', () => {
  it('goes in and is in no answer, no audit and no event', async () => {
    const canary = 'canary-0123456789abcdefg'
    const { secrets } = plane.client.tenant('shop')
    await secrets.put(secretOf('db'))
    const { token } = await plane.as('shop', 'operator')
    const at = '/v1/tenants/shop/secrets/db'
    const put = await plane.send('PUT', `${at}/data`, { token, body: { text: { password: canary } } })
    expect(put).toMatchObject({ status: 200, json: { status: { version: 1 } } })
    const broken = await plane.send('PUT', `${at}/data`, { token, body: `{"text":{"password":"${canary}"` })
    const wrong = await plane.send('PUT', `${at}/data`, { token, body: { text: { password: [canary] } } })
    const { token: all } = await plane.system()
    const looks = [at, `${at}/events`, '/v1/audit', '/v1/secrets']
    const seen = await Promise.all(looks.map((path) => plane.send('GET', path, { token: all })))
    for (const { text } of [put, broken, wrong, ...seen]) expect(text).not.toContain(canary)
  })
})

describe('a slow client', () => {
  it.each([
    ['headers', 'GET /v1/whoami HTTP/1.1\r\nHost: x\r\n'],
    ['a body', 'PUT /healthz HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
  ])('that does not finish %s is cut off', async (_, text) => {
    const { hostname, port } = new URL(plane.address)
    const socket = connect(Number(port), hostname)
    socket.write(text)
    const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.resume()
    await ended
  })

  it('without an identity never has its body read', async () => {
    const { status } = await plane.send('PUT', '/v1/tenants/shop/workloads/x', { body: 'x'.repeat(8_000_000) })
    expect(status).toBe(401)
  })

  it('that sends too much is told so', async () => {
    const { token } = await plane.as('shop', 'operator')
    const got = await plane.send('PUT', '/v1/tenants/shop/workloads/x', { token, body: `"${'x'.repeat(5_000_000)}"` })
    expect(got).toMatchObject({ status: 400, json: { reason: 'document_too_large' } })
  })
})

describe('a fault inside', () => {
  it('is told without what it was', async () => {
    const broken = await startPlane({
      authenticate: async () => {
        throw new Error('password=hunter2 at /etc/secret')
      },
    })
    try {
      const { status, text } = await broken.send('GET', '/v1/whoami', { token: 'x' })
      expect(status).toBe(500)
      expect(text).not.toMatch(/hunter2|etc|stack/)
    } finally {
      await broken.dispose()
    }
  })
})
