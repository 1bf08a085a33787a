import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
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
        NODE_COMPILE_CACHE: join(cache, 'node'),
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

  it('keeps what it compiled where only its owner may write, and says the same with it', async () => {
    const first = await start(['get', '--help'])
    const again = await start(['get', '--help'])
    expect(again).toEqual(first)
    const kept = join(cache, 'gantry', 'kept-code')
    const names = await readdir(kept).catch(() => undefined)
    // Node 22 has a cache of its own.
    if (process.versions.node.startsWith('20.')) expect(names).toHaveLength(1)
    for (const name of names ?? []) expect((await stat(join(kept, name))).mode & 0o077).toBe(0)
  })

  it('takes no code that others may have written', async () => {
    await start(['version', '--client'])
    const kept = join(cache, 'gantry', 'kept-code')
    for (const name of await readdir(kept).catch(() => [])) {
      await writeFile(join(kept, name), 'nonsense')
      await chmod(join(kept, name), 0o666)
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

  it('loads HTTP and nothing else that is large for a list', async () => {
    const failed = await start(['get', 'workloads'], ['--require', probe]).catch((error: { stderr: string }) => error)
    expect(failed.stderr).toMatch(/loaded: http\n$/)
  })
})
