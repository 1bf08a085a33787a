import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownVersion } from './own-version.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../bin/gantry.cjs', import.meta.url))
const probe = fileURLToPath(new URL('./testing/what-was-loaded.cjs', import.meta.url))

describe('the program as npm links it', () => {
  let cache: string
  beforeEach(async () => {
    cache = await mkdtemp(join(tmpdir(), 'gantry-cli-cache-'))
  })
  afterEach(() => rm(cache, { recursive: true, force: true }))

  const start = (args: readonly string[], options: readonly string[] = []) =>
    run(process.execPath, [...options, program, ...args], {
      env: {
        ...process.env,
        XDG_CACHE_HOME: cache,
        GANTRY_SERVER: 'http://127.0.0.1:1',
      },
    })

  it('says its own version, which is that of its package', async () => {
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const { stdout, stderr } = await start(['version', '--client'])
    expect(stdout).toContain(`gantry ${version} `)
    expect(stderr).toBe('')
    expect(ownVersion).toBe(version)
  })

  const kept = async (): Promise<string[]> =>
    (await readdir(join(cache, 'gantry', 'kept-code')).catch(() => [])).map((name) => name.replace(/-v.*-/, ' '))

  it('keeps what it compiled where only its owner may write, and says the same with it', async () => {
    const first = await start(['explain', 'workload.spec.replicas'])
    const again = await start(['explain', 'workload.spec.replicas'])
    expect(again).toEqual(first)
    expect((await kept()).sort()).toEqual(['gantry explain', 'schemas explain'])
    const folder = join(cache, 'gantry', 'kept-code')
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  })

  it('keeps it for each verb apart, and for nothing that went wrong or is no verb', async () => {
    await start(['version', '--client'])
    await start(['get', '--help'])
    await start(['--no-color', 'version', '--client'])
    await start(['nonsense']).catch(() => undefined)
    expect((await kept()).sort()).toEqual(['gantry help', 'gantry other', 'gantry version'])
  })

  it('throws away what was kept of another build, and nothing else', async () => {
    const folder = join(cache, 'gantry', 'kept-code')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const others = ['gantry-v20.0.0-x64-a-b-get', 'yaml-v20.0.0-x64-a-b-get']
    for (const name of others) await writeFile(join(folder, name), '')
    await start(['version', '--client'])
    expect((await kept()).sort()).toEqual(['gantry version', 'yaml get'])
  })

  it('takes no code that others may have written', async () => {
    await start(['version', '--client'])
    const folder = join(cache, 'gantry', 'kept-code')
    const names = await readdir(folder)
    expect(names).not.toEqual([])
    for (const name of names) {
      await writeFile(join(folder, name), 'nonsense')
      await chmod(join(folder, name), 0o666)
    }
    expect((await start(['version', '--client'])).stdout).toContain('gantry ')
  })

  it('runs where nothing can be kept', async () => {
    await rm(cache, { recursive: true })
    await writeFile(cache, 'no folder')
    expect((await start(['version', '--client'])).stdout).toContain('gantry ')
  })

  it.each([['version', '--client'], ['--help'], ['get', '--help']])(
    'loads neither schemas nor HTTP for %s %s',
    async (...args) => {
      const { stderr } = await start(args, ['--require', probe])
      expect(stderr).toBe('loaded: \n')
    },
  )

  it('loads nothing that is large for a list either', async () => {
    const failed = await start(['get', 'workloads'], ['--require', probe]).catch((error: { stderr: string }) => error)
    expect(failed.stderr).toMatch(/loaded: \n$/)
  })
})
