/** The commands of an installation, on one server: starting one for each would cost more than all of them. */
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliSystem, startCliSystem } from '../testing/cli-system.ts'

let cli: CliSystem
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-installation-'))
  cli = await startCliSystem()
})
afterAll(async () => {
  await cli?.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** Ages and days that are never the same. */
const normal = (text: string): string => text.replaceAll(/\b\d+[smhd]$/gm, 'AGE')

/** What it printed; anything but success is told with what it said. */
async function said(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.gantry(args)
  expect([code, stderr], args.join(' ')).toEqual([0, expect.anything()])
  return stdout
}

async function tokenOf(role: string, name = role): Promise<string> {
  return JSON.parse(await said('token', 'create', name, '--role', role, '-o', 'json')).token
}

describe('gantry secret', () => {
  it('takes values from a pipe, a file, and a person whom nobody sees typing', async () => {
    const piped = await cli.gantry(['secret', 'set', 'db', 'url=-'], { stdin: 'postgres://piped\n' })
    expect(piped).toEqual({ code: 0, stdout: 'secret/db created: v1 with url\n', stderr: '' })
    await writeFile(join(folder, 'key.der'), Buffer.from([0x30, 0x82, 0xff, 0xfe]))
    const file = await cli.gantry(['secret', 'set', 'db', 'key=@key.der'], { cwd: folder })
    expect(file.stdout).toBe('secret/db written: v2 with url, key\n')
    const terminal = cli.inTerminal(['secret', 'set', 'db', 'password'])
    await terminal.shows('Value of password:')
    terminal.type('hunter2\r')
    expect(await terminal.exit).toBe(0)
    expect(terminal.raw()).toContain('v3 with url, key, password')
    expect(terminal.raw()).not.toContain('hunter2')
  })

  it('keeps what was not named, drops what was removed, and replaces all if told', async () => {
    await said('secret', 'set', 'parts', '--from-args', 'a=1', 'b=2')
    expect(await said('secret', 'set', 'parts', '--from-args', 'c=3', '--remove', 'a')).toBe(
      'secret/parts written: v2 with b, c\n',
    )
    expect(await said('secret', 'set', 'parts', '--from-args', 'd=4', '--replace')).toBe(
      'secret/parts written: v3 with d\n',
    )
    expect(normal(await said('secret', 'ls'))).toMatch(/^NAME +VERSION +KEYS +AGE\n.*^parts +v3 +d +AGE$/ms)
    expect(await said('secret', 'describe', 'parts')).toMatch(/^Secret parts\n/)
    expect(await said('secret', 'rm', 'parts')).toBe('secret/parts deleted\n')
  })

  it.each([
    [['secret', 'set', 'x', 'url=hunter2'], 'stands in the arguments', 2],
    [['secret', 'set', 'x', 'url=@nowhere'], 'The file nowhere for "url" cannot be read (ENOENT)', 2],
    [['secret', 'set', 'x', 'url=-'], 'Nothing came through standard input', 2],
    [['secret', 'set', 'x', 'url'], 'there is no terminal', 2],
    [['secret', 'rm', 'bd'], 'There is no secret "bd" in tenant default; did you mean "db"?', 5],
  ])('refuses %j, and nothing is made', async (args, words, exit) => {
    const { code, stdout, stderr } = await cli.gantry(args)
    expect(stderr).toContain(words)
    expect(stderr).not.toContain('hunter2')
    expect([code, stdout]).toEqual([exit, ''])
    expect(await said('secret', 'ls', '-o', 'name')).not.toContain('secret/x')
  })
})

describe('gantry token', () => {
  it('is shown once, and holds until it is revoked', async () => {
    const made = await cli.gantry(['token', 'create', 'ci', '--role', 'viewer', '--expires', '12h'])
    const token = made.stdout.trim()
    expect(made.stderr).toContain('ci, viewer in tenant default. It is not shown again')
    const as = { env: { GANTRY_TOKEN: token } }
    expect((await cli.gantry(['whoami', '-o', 'json'], as)).stdout).toContain('"role": "viewer"')
    expect(normal(await said('token', 'ls'))).toMatch(/^ci +viewer +token:admin +(never|\S+ ago) +in 1[12]h\S* +AGE$/m)
    expect(await said('token', 'revoke', 'ci')).toBe('token ci is revoked\n')
    const refused = await cli.gantry(['whoami'], as)
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain('gantry login')
  })

  it('of the installation is apart from those of a tenant', async () => {
    await tokenOf('system', 'root-two')
    expect(await said('token', 'ls', '-o', 'name')).not.toContain('root-two')
    expect(await said('token', 'ls', '--system', '-o', 'name')).toContain('root-two\n')
    const wrong = await cli.gantry(['token', 'revoke', '--system', 'root-tow'])
    expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining('did you mean "root-two"?')])
    await said('token', 'revoke', '--system', 'root-two')
  })

  it('needs a role', async () => {
    const { code, stderr } = await cli.gantry(['token', 'create', 'x'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Give --role viewer')])
  })
})

describe('gantry tenant', () => {
  it('is made with limits, which are shown, changed and taken away, and removed', async () => {
    expect(await said('tenant', 'create', 'acme', '--plan', 'gold', '--quota', 'cpu=4', '--quota', 'workloads=2')).toBe(
      'tenant/acme created\n',
    )
    expect(normal(await said('tenant', 'ls', '-o', 'wide'))).toMatch(/^acme +acme +gold +workloads 2, cpu 4 +AGE$/m)
    const quota = await said('tenant', 'quota', 'acme', '--set', 'cpu=none', '--set', 'memory=8Gi')
    expect(quota).toMatch(/^workloads +0 +2$/m)
    expect(quota).toMatch(/^cpu +0 +unlimited$/m)
    expect(quota).toMatch(/^memory +0 +8Gi$/m)
    expect(await said('tenant', 'quota')).toMatch(/^OF +USED +LIMIT$/m)
    expect(await said('tenant', 'rm', 'acme')).toBe('tenant/acme deleted\n')
  })
})

describe('gantry provider', () => {
  it('is added, listed, described and removed', async () => {
    expect(await said('provider', 'add', 'local', 'here', '--tenants', 'default,acme', '--region', 'desk')).toBe(
      'provider/here created\n',
    )
    expect(normal(await said('provider', 'ls', '-o', 'wide'))).toMatch(/^here +local +.*desk +\S+ +default,acme +AGE$/m)
    expect(await said('provider', 'describe', 'here')).toMatch(/^Provider here\n/)
    expect(await said('provider', 'rm', 'here')).toBe('provider/here deleted\n')
  })

  it('is shown to a tenant as far as it may be used', async () => {
    const env = { GANTRY_TOKEN: await tokenOf('viewer', 'looks') }
    const { stdout } = await cli.gantry(['provider', 'ls'], { env })
    expect(stdout).toBe('NAME    TYPE    READY   REGION   DEFAULT\nlocal   local   yes     -        yes\n')
  })
})

describe('gantry backup and gantry restore', () => {
  it('make a whole file for its owner alone, and bring it into an empty folder once', async () => {
    const file = join(folder, 'b.gz')
    const made = await cli.gantry(['backup', '-o', 'b.gz'], { cwd: folder })
    expect(made.stdout).toBe(`${file}\n`)
    expect(made.stderr).toMatch(/^\d+ rows as of \S+, \S+, sha256 [0-9a-f]{64}\nKeep the master\.key/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const again = await cli.gantry(['backup', '-o', file])
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('--force')])
    await said('backup', '-o', file, '--force')
    const data = join(folder, 'data')
    expect(await said('restore', file, '--data', data)).toBe(`Restored into ${data}\n`)
    const twice = await cli.gantry(['restore', file, '--data', data])
    expect(twice.code).toBe(6)
  })

  it('leave nothing behind that is not whole', async () => {
    const env = { GANTRY_TOKEN: await tokenOf('admin', 'chief') }
    const denied = await cli.gantry(['backup', '-o', 'denied.gz'], { cwd: folder, env })
    expect([denied.code, denied.stderr]).toEqual([4, expect.stringContaining('gantry whoami')])
    const nowhere = await cli.gantry(['backup', '-o', 'no/such/folder.gz'], { cwd: folder })
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('ENOENT')])
    const { readdir } = await import('node:fs/promises')
    expect((await readdir(folder)).filter((name) => /partial|denied/.test(name))).toEqual([])
    await said('backup', '-o', join(folder, 'cut.gz'))
    await truncate(join(folder, 'cut.gz'), 500)
    const cut = await cli.gantry(['restore', join(folder, 'cut.gz'), '--data', join(folder, 'other')])
    expect([cut.code, cut.stderr]).toEqual([2, expect.stringContaining('Nothing was restored')])
  })
})

describe('gantry whoami and gantry doctor', () => {
  it('say who one is, where, and why there', async () => {
    expect(await said('whoami')).toBe(
      [
        'token:admin: system everywhere',
        `server ${cli.system.client.server} (context local of ${cli.env.GANTRY_CONTEXTS})`,
        'tenant default',
        '',
      ].join('\n'),
    )
  })

  it('find everything in order, and say what this machine has', async () => {
    const env = { GANTRY_DATA: cli.system.dataDir, NOMAD_ADDR: 'http://127.0.0.1:1', KUBECONFIG: join(folder, 'none') }
    const { code, stdout, stderr } = await cli.gantry(['doctor'], { env })
    expect([code, stderr]).toEqual([0, ''])
    for (const about of [
      'contexts',
      'server',
      'clock',
      'token',
      'versions',
      'part store',
      'provider local',
      'data folder',
    ]) {
      expect(stdout).toMatch(new RegExp(`^ok +${about} `, 'm'))
    }
    expect(stdout).toMatch(/^warn +nomad +.*does not answer \(ECONNREFUSED\)\n +→ /m)
    expect(stdout).toMatch(/^warn +kubernetes +KUBECONFIG names /m)
  })

  it('say what is wrong and what to do, and end with 1', async () => {
    const contexts = join(folder, 'open.json')
    await writeFile(contexts, await readFile(cli.env.GANTRY_CONTEXTS ?? '', 'utf8'), { mode: 0o644 })
    const open = await cli.gantry(['doctor', '-o', 'json'], { env: { GANTRY_CONTEXTS: contexts } })
    expect(open.code).toBe(1)
    expect(JSON.parse(open.stdout)).toMatchObject({
      well: false,
      findings: expect.arrayContaining([expect.objectContaining({ about: 'contexts', next: `chmod 600 ${contexts}` })]),
    })
    const away = await cli.gantry(['doctor', '--server', 'http://127.0.0.1:1'])
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/^bad +server .*nothing listens there/m)])
    const stranger = await cli.gantry(['doctor', '--token', 'gantry_nobody'])
    expect([stranger.code, stranger.stdout]).toEqual([1, expect.stringMatching(/^bad +token .*\n +→ sign in again/m)])
  })
})
