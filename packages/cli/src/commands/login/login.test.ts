/** Signing in and contexts, on one server with a contexts file for each test. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type CliSystem, startCliSystem } from '../../testing/cli-system.ts'

let cli: CliSystem
let folder: string
let server: string
let token: string
let at = 0
let env: { GANTRY_CONTEXTS: string }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-login-'))
  cli = await startCliSystem()
  server = cli.system.client.server
  token = (await readFile(join(cli.system.dataDir, 'admin.token'), 'utf8')).trim()
})
afterAll(async () => {
  await cli?.dispose()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  at += 1
  env = { GANTRY_CONTEXTS: join(folder, String(at), 'contexts.json') }
})

const written = async () => JSON.parse(await readFile(env.GANTRY_CONTEXTS, 'utf8'))
const gantry = (args: readonly string[], more: { stdin?: string; env?: Record<string, string> } = {}) =>
  cli.gantry(args, { ...more, env: { ...env, ...more.env } })

describe('gantry login', () => {
  it('asks for the token without showing it, and keeps it for its owner alone', async () => {
    const terminal = cli.inTerminal(['login', '--server', `${server}/`], { env, columns: 200 })
    await terminal.shows(`Token for ${server}:`)
    terminal.type(`${token}\r`)
    expect(await terminal.exit).toBe(0)
    expect(terminal.raw()).toContain('as token:admin (system everywhere); the context is local')
    expect(terminal.raw()).not.toContain(token)
    expect(await written()).toEqual({ current: 'local', contexts: { local: { server, token } } })
    expect((await stat(env.GANTRY_CONTEXTS)).mode & 0o777).toBe(0o600)
  })

  it('takes it from a pipe or the environment, under a name, and for the tenant that it is for', async () => {
    const piped = await gantry(['login', 'prod', '--server', server, '--token-stdin'], { stdin: `${token}\n` })
    expect([piped.code, piped.stderr]).toEqual([0, ''])
    const { token: own } = await cli.system.client.tenant('default').tokens.create({ name: `t${at}`, role: 'viewer' })
    await gantry(['login', 'mine', '--server', server], { env: { GANTRY_TOKEN: own } })
    expect(await written()).toEqual({
      current: 'mine',
      contexts: { prod: { server, token }, mine: { server, token: own, tenant: 'default' } },
    })
  })

  it.each([
    ['a token that the server does not know', 'gantry_wrong', 3],
    ['no token', '\n', 2],
    ['something else', 'two words', 2],
  ])('writes nothing for %s', async (_, stdin, exit) => {
    const { code } = await gantry(['login', '--server', server, '--token-stdin'], { stdin })
    expect(code).toBe(exit)
    await expect(written()).rejects.toThrow('ENOENT')
  })

  it('ended by Ctrl-C at the question writes nothing, and gives the terminal back', async () => {
    const terminal = cli.inTerminal(['login', '--server', server], { env })
    await terminal.shows('Token for')
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(130)
    await expect(written()).rejects.toThrow('ENOENT')
  })
})

describe('gantry context', () => {
  beforeEach(async () => {
    for (const name of ['one', 'two']) {
      await gantry(['login', name, '--server', server, '--token-stdin'], { stdin: token })
    }
  })

  it('lists, uses, renames, gives a tenant and forgets; tokens are never shown', async () => {
    expect((await gantry(['context', 'use', 'one'])).stdout).toBe(`Now one is used: ${server}\n`)
    await gantry(['context', 'rename', 'two', 'other'])
    await gantry(['context', 'set-tenant', 'acme'])
    const { stdout } = await gantry(['context', 'ls'])
    const pad = ' '.repeat(server.length - 'SERVER'.length)
    expect(stdout).toBe(
      [
        `CURRENT   NAME    SERVER${pad}   TENANT    SIGNED IN`,
        `*         one     ${server}   acme      yes`,
        `          other   ${server}   default   yes`,
        '',
      ].join('\n'),
    )
    expect((await gantry(['context', 'ls', '-o', 'json'])).stdout).not.toContain(token)
    const gone = await gantry(['context', 'rm', 'one'])
    expect(gone.stderr).toContain('None is used now')
    expect(await written()).toEqual({ contexts: { other: { server, token } } })
    expect((await stat(env.GANTRY_CONTEXTS)).mode & 0o777).toBe(0o600)
  })

  it('says that a variable goes before it', async () => {
    const { code, stderr } = await gantry(['context', 'use', 'one'], { env: { GANTRY_SERVER: server } })
    expect([code, stderr]).toEqual([0, 'Warning: $GANTRY_SERVER is set, and goes before it; unset it\n'])
  })

  it('says what was meant by one that there is not', async () => {
    const { code, stderr } = await gantry(['context', 'use', 'tow'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean "two"?')])
  })
})

describe('gantry version', () => {
  it('warns of a server that is too far away, and shows both for programs', async () => {
    const fake = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ version: '0.9.0', apiVersions: ['gantry/v1'] }))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void fake.close())
    await new Promise((resolve) => fake.once('listening', resolve))
    const { port } = fake.address() as AddressInfo
    const { code, stdout, stderr } = await gantry(['version', '--server', `http://127.0.0.1:${port}`])
    expect([code, stdout]).toEqual([0, expect.stringContaining('server 0.9.0\n')])
    expect(stderr).toBe(
      'Warning: this program is 0.1.0 and the server 0.9.0, more than one minor version apart; update the program\n',
    )
    const own = await gantry(['version', '-o', 'json', '--server', server, '--token', token])
    expect([JSON.parse(own.stdout), own.stderr]).toEqual([expect.objectContaining({ server: expect.anything() }), ''])
  })
})
