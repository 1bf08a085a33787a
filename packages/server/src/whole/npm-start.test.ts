/** The first minute: what the README shows is what happens, and Ctrl-C leaves nothing behind. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../testing/crash/server-process.ts'
import { processesOf } from './testing/leftovers.ts'
import { until } from './testing/until.ts'

/** As the README has them, one on a line; the test runs them with ports and a folder of its own. */
const shown = `
npm ci && npm start
curl http://hello.default.localhost:7480/
`

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const run = promisify(execFile)
let folder: string
let ports: { readonly api: number; readonly edge: number }
let child: ChildProcess | undefined
let said = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-start-'))
  ports = { api: await freePort(), edge: await freePort() }
})
afterAll(async () => {
  child?.kill('SIGINT')
  await rm(folder, { recursive: true, force: true })
})

/** In a group of its own, as in a terminal: Ctrl-C reaches npm and all that it has started. */
async function start(): Promise<void> {
  const [command = ''] = shown.trim().split('\n')
  const [program = '', ...args] = command.replace('npm ci && ', '').split(' ')
  const where = [
    '--listen',
    `127.0.0.1:${ports.api}`,
    '--edge',
    `127.0.0.1:${ports.edge}`,
    '--data',
    join(folder, 'data'),
  ]
  said = ''
  const started = spawn(program, [...args, '--', ...where], {
    cwd: repository,
    detached: true,
    env: { ...process.env, GANTRY_DATA: join(folder, 'data'), GANTRY_CONTEXTS: join(folder, 'contexts.json') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  child = started
  await until(
    'it to answer',
    async () => said,
    (text) => /Ctrl-C ends/.test(text) || started.exitCode !== null,
    {
      withinMs: 150_000,
    },
  )
  expect(started.exitCode, said).toBeNull()
}

/** npm itself ends by the signal; what it has started says that it has ended in order. */
async function interrupt(): Promise<void> {
  const ending = child
  if (!ending?.pid) throw new Error('nothing was started')
  const ended = new Promise((resolve) => ending.once('close', resolve))
  process.kill(-ending.pid, 'SIGINT')
  child = undefined
  await ended
  expect(said).toMatch(/^Ended\./m)
}

async function curl(): Promise<string> {
  const command = shown.trim().split('\n')[1] ?? ''
  const [program = '', ...args] = command.replace('7480', String(ports.edge)).split(' ')
  return (await run(program, ['-fsS', ...args], { timeout: 30_000 })).stdout
}

/** One of the three things to try, as it was printed; `npx` is left out, since it only finds the program. */
async function tryOut(which: string): Promise<string> {
  const line = said.split('\n').find((text) => text.includes('npx gantry') && text.includes(` ${which}`)) ?? ''
  const [, , ...args] = line.trim().split(' ')
  const program = join(repository, 'packages/cli/bin/gantry.cjs')
  const env = { ...process.env, GANTRY_CONTEXTS: join(folder, 'contexts.json') }
  return (await run(process.execPath, [program, ...args], { env, timeout: 120_000 })).stdout
}

describe('npm start', { timeout: 300_000 }, () => {
  it('runs a workload that answers, and the three things that it names next work', async () => {
    await start()
    expect(await curl()).toMatch(/^hello from process \d+$/m)
    expect(await tryOut('ps')).toMatch(/^hello +a\/0 +v1 +ready/m)
    expect(await tryOut('deploy')).toBe('workload/hello deployed\n')
    expect(await curl()).toMatch(/^welcome from process/)
    expect(await tryOut('rollback')).toBe('workload/hello rolls back\n')
    expect(await curl()).toMatch(/^hello from process/)
  })

  it('ends with everything that it runs on Ctrl-C, and goes on from there at the next start', async () => {
    await interrupt()
    expect(await processesOf(folder)).toEqual([])
    await start()
    expect(said).toContain('Workload hello: unchanged')
    expect(await curl()).toMatch(/^hello from process/)
  })

  it('names a port that is taken, with a way out', async () => {
    const args = ['--listen', `127.0.0.1:${ports.api}`, '--data', join(folder, 'second')]
    const program = join(repository, 'examples/hello/dist/main.js')
    const failing = run(process.execPath, [program, ...args, '--edge', '127.0.0.1:0'], {
      env: { ...process.env, GANTRY_CONTEXTS: join(folder, 'contexts.json') },
      timeout: 60_000,
    })
    await expect(failing).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /Port \d+ of 127.0.0.1 is in use by another program: stop it, or start with --listen/,
      ),
    })
    await interrupt()
    expect(await processesOf(folder)).toEqual([])
  })
})
