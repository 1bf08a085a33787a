import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@gantry/server/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { gantry, start } from '../../testing/gantry.ts'

describe('gantry serve', () => {
  let folder: string
  let env: { GANTRY_CONTEXTS: string; GANTRY_DATA: string }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-serve-'))
    env = { GANTRY_CONTEXTS: join(folder, 'contexts.json'), GANTRY_DATA: join(folder, 'data') }
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function serve(...args: readonly string[]) {
    const running = start(['serve', '--bare', '--listen', '127.0.0.1:0', ...args], { env })
    onTestFinished(() => running.end('SIGKILL'))
    await until(
      'it to listen',
      async () => running.stdout(),
      (text) => text.includes('Gantry listens on'),
    )
    return running
  }

  it('makes itself known to the next command, and ends in order', async () => {
    const running = await serve()
    await until(
      'it to say where its token is',
      async () => running.stdout(),
      (text) => text.includes(`The token of the administrator is in ${join(env.GANTRY_DATA, 'admin.token')}`),
    )
    expect((await stat(env.GANTRY_CONTEXTS)).mode & 0o777).toBe(0o600)
    expect((await gantry(['whoami'], { env })).stdout).toMatch(/^token:admin: system everywhere\n/)
    running.end('SIGTERM')
    const { code, stdout } = await running.done
    expect(code).toBe(0)
    expect(stdout).toMatch(/Gantry has stopped\n$/)
  })

  it('ends by Ctrl-C as by a signal of systemd, and starts again on the same data', async () => {
    const first = await serve()
    first.end('SIGINT')
    expect((await first.done).code).toBe(0)
    const before = await readFile(env.GANTRY_CONTEXTS, 'utf8')
    const second = await serve()
    second.end('SIGINT')
    const { stdout } = await second.done
    // The token was told once; the context stays.
    expect(stdout).not.toContain('The token of the administrator')
    expect(await readFile(env.GANTRY_CONTEXTS, 'utf8')).toBe(before)
  })

  it.each([
    [['serve', '--listen', '0.0.0.0:7400'], 'can be reached from elsewhere'],
    [['serve', '--listen', 'nonsense'], '--listen must be like 127.0.0.1:7400'],
    [['serve', '--tls-cert', 'x'], '--tls-cert and --tls-key belong together'],
    [['serve', '--user', 'me'], '--user is for --print-unit'],
    [['serve', '--lisen', 'x'], 'did you mean --listen?'],
  ])('refuses %j', async (args, words) => {
    const { code, stdout, stderr } = await gantry(args, { env })
    expect(stderr).toContain(words)
    expect([code, stdout]).toEqual([2, ''])
  })
})
