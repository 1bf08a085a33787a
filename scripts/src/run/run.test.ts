import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openTemporary } from '@gantry/engines'
import { afterAll, describe, expect, it } from 'vitest'
import { repositoryRoot } from '../rules/files.ts'

const program = fileURLToPath(new URL('../../dist/test.js', import.meta.url))
const engines = fileURLToPath(new URL('../../../engines/dist/main.js', import.meta.url))
const config = 'scripts/src/run/fixtures/fixtures.config.ts'
const rig = mkdtempSync(join(openTemporary(), 'gantry-run-'))
const { VITEST: _, GANTRY_ENGINES: __, ...inherited } = process.env
const environment = { ...inherited, GANTRY_NODES: '', GANTRY_ENGINES_DIR: join(rig, 'state') }
chmodSync(rig, 0o711)
afterAll(() => rmSync(rig, { recursive: true }))

async function run(...args: readonly string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [program, '--config', config, ...args], {
    cwd: repositoryRoot,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += String(chunk)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: text.trimEnd().split('\n') }
}

describe('npm test', () => {
  it.each([
    ['passes', 0, '2 passed, 0 failed, 0 skipped', undefined],
    ['fails', 1, '1 passed, 1 failed, 0 skipped', '1 failed'],
    ['skips', 0, '1 passed, 0 failed, 2 skipped', undefined],
    ['silent', 1, '1 passed, 0 failed, 1 skipped', '1 skipped without a reason'],
    ['breaks-alone', 1, '0 passed, 1 failed, 1 skipped', '1 failed'],
    ['unloadable', 1, '0 passed, 1 failed, 0 skipped', '1 failed'],
    ['stray', 1, '1 passed, 1 failed, 0 skipped', '1 failed'],
    ['no-such-file', 1, '0 passed, 0 failed, 0 skipped', 'no test ran'],
  ])('of a file that %s ends with code %i and the line: %s', async (name, code, last, problem) => {
    const ended = await run(`${name}.fixture`)
    expect(ended.lines.at(-1)).toBe(last)
    expect(ended.code).toBe(code)
    const { lines } = ended
    const problems = lines.includes('Not green') ? lines.slice(lines.indexOf('Not green') + 1) : ['']
    expect(problems.slice(0, problems.indexOf(''))).toEqual(
      problem ? [`  Node ${process.version.slice(1)}: ${problem}`] : [],
    )
  })

  it('tells every failure again at its end, with what it said', async () => {
    const { lines } = await run('fails.fixture', 'unloadable.fixture', 'stray.fixture')
    const told = lines.slice(lines.indexOf('Failed') + 1, lines.indexOf('Not green') - 1)
    const node = `  Node ${process.version.slice(1)}: `
    const files = told.filter((line) => line.startsWith(node)).map((line) => line.slice(node.length))
    expect(files).toEqual([
      expect.stringMatching(/fails\.fixture\.ts > ./),
      expect.stringMatching(/unloadable\.fixture\.ts$/),
      'outside of a test',
    ])
    expect(told.filter((line) => line.startsWith('    ')).every((line) => line.trim() !== '')).toBe(true)
    expect(told).toEqual(expect.arrayContaining(['      - Expected', '      + Received']))
  })

  it('is not green when a worker dies', async () => {
    const { code, lines } = await run('dies.fixture')
    expect(code).toBe(1)
    expect(lines.at(-1)).toMatch(/^0 passed, [1-9]\d* failed, 0 skipped$/)
  })

  it('tells the reason of every skip, and how the engines stood', async () => {
    const { lines } = await run('skips.fixture')
    const file = 'scripts/src/run/fixtures/skips.fixture.ts'
    expect(lines).toContain(`  ${file}: no server here (skips)`)
    expect(lines).toContain(`  ${file}: no cluster here (a whole suite (skipped: no cluster here) > is not run)`)
    expect(lines.find((line) => line.startsWith('  postgres '))).toMatch(/ not used$/)
  })

  it('names an engine that was started for the run, and leaves nothing of it running', async () => {
    const { code, lines } = await run('uses-postgres.fixture')
    expect(lines.find((line) => line.startsWith('  postgres '))).toMatch(/ started$/)
    expect(lines.at(-1)).toBe('1 passed, 0 failed, 0 skipped')
    expect(code).toBe(0)
    const doctor = spawnSync(process.execPath, [engines, 'doctor'], { env: environment, encoding: 'utf8' })
    expect(doctor.stdout).toContain('available: started when a test asks for it')
  })

  it('leaves none of its workers when it is told to end', async () => {
    const child = spawn(process.execPath, [program, '--config', config, 'hangs.fixture'], {
      cwd: repositoryRoot,
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const pid = await new Promise<number>((resolve) => {
      let text = ''
      child.stdout.on('data', (chunk) => {
        text += String(chunk)
        const found = /worker (\d+) hangs/.exec(text)
        if (found) resolve(Number(found[1]))
      })
    })
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    child.kill('SIGTERM')
    expect(await once(child, 'close')).toEqual([1, null])
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
  })

  it('lets a name filter leave out the rest without a reason', async () => {
    const { code, lines } = await run('passes.fixture', '-t', 'too')
    expect(lines.at(-1)).toBe('1 passed, 0 failed, 1 skipped')
    expect(code).toBe(0)
  })
})
