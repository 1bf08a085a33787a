/** The command line as npm brings it: from an empty folder to a server that runs. */
import { execFile, spawn } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { projectWith, runIn } from './project.ts'

const run = promisify(execFile)

let folder: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  folder = await projectWith('cli')
  await mkdir(join(folder, 'home'))
  const { GANTRY_SERVER: _, GANTRY_TOKEN: __, ...rest } = process.env
  env = {
    ...rest,
    HOME: join(folder, 'home'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    GANTRY_CONTEXTS: join(folder, 'contexts.json'),
    GANTRY_DATA: join(folder, 'data'),
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const gantry = async (...args: readonly string[]): Promise<string> =>
  (await run('npx', ['--no-install', 'gantry', ...args], { cwd: folder, env, timeout: 60_000 })).stdout

describe('the command line from npm', () => {
  it('says its version, and has nothing in its package but what runs', async () => {
    expect(await gantry('version', '--client')).toMatch(/^gantry \d+\.\d+\.\d+ \(Node /)
    const own = join(folder, 'node_modules/@gantry/cli')
    expect((await readdir(own)).toSorted()).toEqual(expect.arrayContaining(['bin', 'dist', 'package.json']))
    for (const name of await readdir(join(own, 'dist'))) expect(name).toMatch(/\.cjs$/)
  })

  it('serves: with the provider of this machine and an edge, found by the next command', async () => {
    const bin = join(folder, 'node_modules/.bin/gantry')
    const server = spawn(bin, ['serve', '--listen', '127.0.0.1:0', '--edge', '127.0.0.1:0'], { cwd: folder, env })
    onTestFinished(() => void server.kill('SIGKILL'))
    let said = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (bytes) => (said += String(bytes)))
    const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
    await expect.poll(() => said, { timeout: 60_000 }).toContain('The token of the administrator is in')
    expect(await gantry('whoami')).toMatch(/^token:admin: system everywhere\n/)
    await expect.poll(() => gantry('provider', 'ls'), { timeout: 60_000, interval: 500 }).toMatch(/^local +local +yes/m)
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(said).toContain('Gantry has stopped; workloads and their edge go on running')
    await writeFile(join(folder, 'shut-down.js'), shutDown)
    expect(await runIn(folder, 'shut-down.js')).toBe('nothing runs any more\n')
  })
})

/** What the server leaves running on purpose, by the package that it came with. */
const shutDown = `
import { connectSupervisor } from '@gantry/providers/local'
const call = { signal: AbortSignal.timeout(60_000) }
await connectSupervisor(process.cwd() + '/data', { start: false }).shutdown({ processes: 'stop' }, call)
console.log('nothing runs any more')
`
