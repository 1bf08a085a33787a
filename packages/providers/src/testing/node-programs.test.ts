import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { TestCommand, TestProgram } from '../contract/program.ts'
import { freePort } from './free-port.ts'
import { nodePrograms } from './node-programs.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-programs-')))
const { program, command } = nodePrograms(join(folder, 'state'))
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true }))

function start([file = '', ...args]: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(file, args, { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } })
  children.push(child)
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing'))
  })
  return { child, ended, stdout: text(child.stdout), stderr: text(child.stderr) }
}

async function run(what: TestCommand, env?: Record<string, string>, input = '') {
  const { child, ended, stdout, stderr } = start(command(what), env)
  child.stdin.end(input)
  return { code: await ended, stdout: await stdout, stderr: await stderr }
}

const starts = (what: TestProgram, env?: Record<string, string>, args: readonly string[] = []) =>
  start([...program(what), ...args], env)

describe('a test program as a process', () => {
  it('prints its arguments and lines to the streams they are for, and exits as told', async () => {
    const prints = [
      { stream: 'stdout', line: 'ünï' },
      { stream: 'stderr', line: 'to err' },
    ] as const
    const { ended, stdout, stderr } = starts({ printsArgs: true, prints, exits: { code: 3, afterMs: 50 } }, {}, [
      'a b',
      '',
    ])
    expect([await ended, await stdout, await stderr]).toEqual([3, 'arg a b\narg \nünï\n', 'to err\n'])
  })

  it('counts, and ends when it is asked to', async () => {
    const { child, ended, stdout } = starts({ counts: { line: 'tick', everyMs: 20 } })
    child.stdout.on('data', (bytes) => String(bytes).includes('tick 3') && child.kill('SIGTERM'))
    expect(await ended).toBe(0)
    expect(await stdout).toMatch(/^tick 1\ntick 2\ntick 3\n/)
  })

  it('ignores being asked where it is told to, also while it burns', async () => {
    const { child, ended } = starts({
      ignoresTerm: true,
      burnsCpu: true,
      prints: [{ stream: 'stdout', line: 'up' }],
      exits: { code: 7, afterMs: 300 },
    })
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await ended).toBe(7)
  })

  it('listens on the port of its name, and is well from then to then', async () => {
    const port = String(await freePort())
    starts({ listens: 'my-http', healthyAfterMs: 200, healthyUntilMs: 60_000 }, { PORT_MY_HTTP: port })
    await expect
      .poll(async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
        return answer?.status
      })
      .toBe(200)
    expect((await run({ do: 'healthy' })).code).toBe(0)
    expect(
      (await run({ do: 'reach', service: 'web', port: 'http', number: 80 }, { GANTRY_PORT_WEB_HTTP: port })).code,
    ).toBe(0)
  })
})

describe('a test command as a process', () => {
  it.each<[TestCommand, number, string, string]>([
    [{ do: 'say', stdout: 'out', stderr: 'err', exit: 42 }, 42, 'out', 'err'],
    [{ do: 'env', name: 'COLOUR' }, 0, 'red blue\n', ''],
    [{ do: 'env', name: 'NOPE' }, 1, '', ''],
    [{ do: 'where' }, 0, `${folder}\n`, ''],
    [{ do: 'who' }, 0, `${process.getuid?.()}:${process.getgid?.()}\n`, ''],
    [{ do: 'read', path: join(folder, 'nope') }, 1, '', ''],
    [{ do: 'reach', service: 'web', port: 'http', number: 1 }, 1, '', ''],
    [{ do: 'size' }, 0, 'no terminal\n', ''],
  ])('%j', async (what, code, stdout, stderr) => {
    expect(await run(what, { COLOUR: 'red blue' })).toEqual({ code, stdout, stderr })
  })

  it('writes and reads files, and tells their permissions', async () => {
    const path = join(folder, 'note')
    expect((await run({ do: 'write', path, text: 'kept' })).code).toBe(0)
    expect((await run({ do: 'read', path })).stdout).toBe('kept')
    writeFileSync(join(folder, 'strict'), '', { mode: 0o400 })
    expect((await run({ do: 'mode', path: join(folder, 'strict') })).stdout).toBe('400\n')
    expect(statSync(path).isFile()).toBe(true)
    expect((await run({ do: 'write', path: join(folder, 'no', 'such'), text: '' })).code).toBe(1)
  })

  it('copies stdin to its end', async () => {
    const input = 'line\n'.repeat(5000)
    expect(await run({ do: 'echo' }, {}, input)).toEqual({ code: 0, stdout: input, stderr: '' })
  })

  it('hangs until it is killed', async () => {
    const { child, ended } = start(command({ do: 'hang' }))
    child.stdout.once('data', () => child.kill('SIGKILL'))
    expect(await ended).toBe('SIGKILL')
  })
})
