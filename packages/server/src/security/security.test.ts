/** What went wrong elsewhere, by name, and does not here. */

import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allEndpoints, createClient } from '@gantry/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silent } from '../app/log.ts'
import { serveOptions } from '../serve/options.ts'
import { serve } from '../serve/serve.ts'
import { createLog } from '../telemetry/log.ts'
import { call, type Plane, secretOf, startPlane, tenantOf, workloadOf } from '../testing/plane.ts'

let plane: Plane
beforeAll(async () => {
  plane = await startPlane()
  for (const name of ['shop', 'bank']) await plane.client.tenants.put(tenantOf(name))
})
afterAll(() => plane.dispose())

describe('takeover of a fresh install', () => {
  it('is not possible: one token of chance, in files that only their owner can read, and no way to set another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-serve-'))
    try {
      const env = { GANTRY_CONTEXTS: join(folder, 'config', 'contexts.json') }
      const options = serveOptions(['--bare', '--listen', '127.0.0.1:0', '--data', join(folder, 'data')], env)
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

describe('tenant id from the body', () => {
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

describe('path traversal in names', () => {
  it.each(['..%2f..%2fetc%2fpasswd', '..%5c..', '%2e%2e', 'a%00b', 'A', '-a'])(
    'does not work: a path with %s in it names nothing',
    async (name) => {
      const { token } = await plane.as('shop', 'viewer')
      const { status } = await plane.send('GET', `/v1/tenants/shop/workloads/${name}`, { token })
      expect([400, 404]).toContain(status)
    },
  )
})

describe('argv in URLs', () => {
  it('is not there: no path and no query carries a command line, a token or a secret', () => {
    const words = allEndpoints.flatMap(({ params, query }) => Object.keys({ ...params.shape, ...query.shape }))
    expect(words.filter((word) => /^(command|cmd|args?|argv|exec|token|secret|password)$/i.test(word))).toEqual([])
  })
})

describe('IDOR', () => {
  it("is not possible: what is somebody else's is absent, whatever is guessed of its address", async () => {
    await plane.client.tenant('bank').workloads.put(workloadOf('vault'))
    await plane.client.tenant('bank').secrets.put(secretOf('vault'))
    await plane.client.tenant('bank').tokens.create({ name: 'vault', role: 'admin' })
    const { token } = await plane.as('shop', 'admin')
    const own = '/v1/tenants/bank'
    const addresses = [
      ...['workloads', 'secrets', 'tokens', 'audit', 'quota', 'providers', 'activity'].map((what) => `${own}/${what}`),
      ...['workloads/vault', 'secrets/vault', 'workloads/vault/events'].map((what) => `${own}/${what}`),
    ]
    for (const path of addresses) {
      const { status, text } = await plane.send('GET', path, { token })
      expect([path, status]).toEqual([path, 404])
      expect(text.replaceAll('bank', 'nobody').replace(/"requestId":"[^"]*"/, '')).toBe(
        (await plane.send('GET', path.replace('bank', 'nobody'), { token })).text.replace(/"requestId":"[^"]*"/, ''),
      )
    }
    for (const path of ['/v1/workloads', '/v1/secrets', '/v1/audit', '/v1/tenants', '/v1/providers', '/v1/tokens']) {
      expect((await plane.send('GET', path, { token })).status).toBe(403)
    }
    expect((await plane.send('DELETE', `${own}/tokens/vault`, { token })).status).toBe(404)
    expect((await plane.send('DELETE', `${own}/workloads/vault`, { token })).status).toBe(404)
    expect(await plane.client.tenant('bank').workloads.get('vault')).toBeDefined()
  })
})

describe('secret in logs', () => {
  it('is not there, nor a token, whatever goes wrong with the request that carries them', async () => {
    const said: string[] = []
    const own = await startPlane({ logger: createLog({ write: (line) => said.push(line) }) })
    try {
      const canary = 'canary-abcdefg9876543210'
      await own.client.tenant('default').secrets.put(secretOf('db'))
      const { token } = await own.as('default', 'operator')
      const at = '/v1/tenants/default/secrets/db/data'
      await own.send('PUT', at, { token, body: { text: { password: canary } } })
      await own.send('PUT', at, { token, body: `{"text":{"password":"${canary}"` })
      await own.send('PUT', at, { token, body: { text: { password: [canary] } } })
      await own.send('PUT', at, { token: `${token}x`, body: { text: { password: canary } } })
      await own.send('GET', `/v1/nowhere?token=${token}`, { token })
      await own.stop()
      // The log of a server that broke has more to say.
      await own.send('PUT', at, { token, body: { text: { password: canary } } }).catch(() => undefined)
      for (const line of said) expect(line).not.toMatch(new RegExp(`${canary}|${token}`))
    } finally {
      await own.dispose()
    }
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

describe('an answer', () => {
  it('is for whoever asked and no cache: no-store, and no guess about what it is', async () => {
    const { token } = await plane.as('shop', 'viewer')
    for (const path of ['/v1/whoami', '/healthz', '/v1/tenants/shop/workloads', '/v1/nowhere', '/v1/tenants/shop/x']) {
      const { headers } = await plane.send('GET', path, { token })
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect((await plane.send('GET', '/v1/whoami')).headers.get('cache-control')).toBe('no-store')
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
