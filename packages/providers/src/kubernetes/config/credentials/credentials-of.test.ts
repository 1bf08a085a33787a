import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@gantry/core'
import { VirtualClock } from '@gantry/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClusterConfig, ClusterUser, ExecPlugin } from '../cluster-config.ts'
import type { Credentials } from './credentials.ts'
import { credentialsOf } from './credentials-of.ts'

const call = { signal: AbortSignal.timeout(900_000) }

describe('credentials', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-k8s-sign-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const configOf = (user: ClusterUser): ClusterConfig => ({ server: 'https://x', user, origin: 'a test' })
  const of = (user: ClusterUser, clock = systemClock, pluginMs = 20_000): Credentials =>
    credentialsOf(configOf(user), { clock, env: { PATH: process.env.PATH }, pluginMs })
  const headersOf = async (credentials: Credentials) => (await credentials.current(call)).headers

  it('are a token, a name and password, or a certificate, and whom we are for', async () => {
    expect(await headersOf(of({ name: 'u', token: { text: 't' } }))).toEqual({ authorization: 'Bearer t' })
    const basic = of({ name: 'u', basic: { username: 'me', password: 'p' } })
    expect(await headersOf(basic)).toEqual({ authorization: `Basic ${Buffer.from('me:p').toString('base64')}` })
    const certificate = { cert: { text: 'C' }, key: { text: 'K' } }
    expect(await of({ name: 'u', certificate }).current(call)).toEqual({
      headers: {},
      certificate: { cert: 'C', key: 'K' },
    })
    const impersonate = { user: 'o', uid: '1', groups: ['a', 'b'], extra: { 'x/y': ['z'] } }
    expect(await headersOf(of({ name: 'u', impersonate }))).toEqual({
      'impersonate-user': 'o',
      'impersonate-uid': '1',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-x%2Fy': ['z'],
    })
  })

  it('read a token again after a minute, and at once where it was refused', async () => {
    const clock = new VirtualClock()
    const file = join(folder, 'token')
    writeFileSync(file, 'first\n')
    const credentials = of({ name: 'u', token: { file } }, clock)
    const first = await credentials.current(call)
    expect(first.headers).toEqual({ authorization: 'Bearer first' })
    writeFileSync(file, 'second\n')
    await clock.advance(59_000)
    expect(await credentials.current(call)).toBe(first)
    await clock.advance(1_000)
    const second = await credentials.current(call)
    expect(second.headers).toEqual({ authorization: 'Bearer second' })
    expect(await credentials.renew(second, call)).toBe(false)
    expect(await credentials.current(call)).toBe(second)
    writeFileSync(file, 'third')
    expect(await credentials.renew(second, call)).toBe(true)
    expect(await headersOf(credentials)).toEqual({ authorization: 'Bearer third' })
    // Whoever was refused with an old one finds a new one there already.
    writeFileSync(file, 'fourth')
    expect(await credentials.renew(first, call)).toBe(true)
    expect(await headersOf(credentials)).toEqual({ authorization: 'Bearer third' })
  })

  it('say which file cannot be read', async () => {
    const file = join(folder, 'none')
    await expect(of({ name: 'u', token: { file } }).current(call)).rejects.toMatchObject({
      reason: 'engine_unauthenticated',
      message: `the token cannot be read from ${file} (ENOENT)`,
    })
  })

  it('are asked from a program once, until what it said expires or was refused', async () => {
    const clock = new VirtualClock()
    const log = join(folder, 'log')
    const until = new Date(clock.now() + 100_000).toISOString()
    const exec = program(`
      const count = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').length : 0
      fs.appendFileSync(log, 'x')
      if (process.env.OWN !== 'yes') process.exit(9)
      const { spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO)
      if (spec.interactive !== false) process.exit(8)
      say({ token: 'token-' + count, expirationTimestamp: ${JSON.stringify(until)} })`)
    const credentials = of({ name: 'u', exec }, clock)
    const both = await Promise.all([credentials.current(call), credentials.current(call)])
    expect(both[0]).toBe(both[1])
    expect(both[0]?.headers).toEqual({ authorization: 'Bearer token-0' })
    await clock.advance(80_000)
    expect(await credentials.current(call)).toBe(both[0])
    await clock.advance(10_000)
    // It says the same time again, which is nearly over: so it is asked at each question, and no old token is used.
    expect(await headersOf(credentials)).toEqual({ authorization: 'Bearer token-1' })
    const now = await credentials.current(call)
    expect(await credentials.renew(now, call)).toBe(true)
    expect(readFileSync(log, 'utf8')).toBe('xxxx')
  })

  it('say why a program did not sign us in', async () => {
    const failing = program(`process.stderr.write('no such account'); process.exit(3)`)
    await expect(of({ name: 'u', exec: failing }).current(call)).rejects.toMatchObject({
      reason: 'engine_unauthenticated',
      message: expect.stringMatching(/ended with 3: no such account/),
    })
    const missing = { ...failing, command: '/nowhere/login', installHint: 'get it from us' }
    await expect(of({ name: 'u', exec: missing }).current(call)).rejects.toMatchObject({
      message: expect.stringMatching(/ENOENT \(get it from us\)/),
    })
  })

  it('give up a program that does not end', async () => {
    const hanging = program('setInterval(() => undefined, 1000)')
    await expect(of({ name: 'u', exec: hanging }, systemClock, 300).current(call)).rejects.toMatchObject({
      reason: 'deadline_exceeded',
    })
  })

  it('let a caller leave while a program runs', async () => {
    const hanging = program('setInterval(() => undefined, 1000)')
    const caller = new AbortController()
    const reason = new Error('left')
    const credentials = of({ name: 'u', exec: hanging }, systemClock, 500)
    const waiting = Promise.resolve(credentials.current(caller))
    caller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    // The look goes on for others, and ends by its own deadline.
    await expect(credentials.current(call)).rejects.toMatchObject({ reason: 'deadline_exceeded' })
  })

  /** A program of Node; `say` answers with a status. */
  function program(text: string): ExecPlugin {
    const script = `const fs = require('node:fs'); const log = ${JSON.stringify(join(folder, 'log'))}
      const say = (status) => console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status }))
      ${text}`
    return {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
      env: { OWN: 'yes' },
      provideClusterInfo: false,
    }
  }
})
