/** The contract's programs as containers of busybox do what the contract says that they do. */
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import type { TestCommand, TestProgram } from '../contract/program.ts'
import { busyboxFolder, busyboxPrograms } from '../testing/busybox-programs.ts'
import { type RealDocker, realDocker } from '../testing/real-docker.ts'
import type { OutputFrame } from './api/frames.ts'

const call = { signal: AbortSignal.timeout(600_000) }
/** As far as a test is concerned. */
const never = 10_000_000
let found: Awaited<ReturnType<typeof realDocker>>
beforeAll(async () => {
  found = await realDocker()
})
afterAll(() => ('docker' in found ? found.end() : undefined))

const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

const starts = ({ run }: RealDocker, program: TestProgram, env: readonly string[] = [], args: readonly string[] = []) =>
  run([...busyboxPrograms.program(program), ...args], { Env: [...env, 'COLOUR=red blue'] })

async function texts(frames: AsyncIterable<OutputFrame>) {
  const text = { stdout: '', stderr: '' }
  for await (const { stream, data } of frames) text[stream] += data.toString()
  return text
}

const output = async ({ docker }: RealDocker, id: string) =>
  texts(await docker.containers.logs(id, { tty: false, follow: true, timestamps: false }, call))

async function runs({ docker }: RealDocker, id: string, command: TestCommand, input = '') {
  const attached = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: false }
  const exec = await docker.execs.create(id, { ...attached, Cmd: busyboxPrograms.command(command) }, call)
  const session = await docker.execs.start(exec, { tty: false }, call)
  const reading = texts(session.output)
  if (input !== '') await session.write(Buffer.from(input))
  session.endInput()
  return { ...(await reading), code: await docker.execs.exitCode(exec, call) }
}

describe('a test program as a container', () => {
  it('prints its arguments and lines to the streams they are for, and exits as told', async (context) => {
    const docker = rig(context)
    const prints = [
      { stream: 'stdout', line: "ünï 'quoted' $HOME" },
      { stream: 'stderr', line: 'to err' },
    ] as const
    const id = await starts(docker, { printsArgs: true, prints, exits: { code: 3, afterMs: 50 } }, [], ['a b', ''])
    const stdout = "arg a b\narg \nünï 'quoted' $HOME\n"
    expect(await output(docker, id)).toEqual({ stdout, stderr: 'to err\n' })
    expect(await docker.docker.containers.wait(id, 'not-running', call)).toBe(3)
  })

  it('counts, and ends when it is asked to', async (context) => {
    const { docker, ...more } = rig(context)
    const id = await starts({ docker, ...more }, { counts: { line: 'tick', everyMs: 20 } })
    let text = ''
    const which = { tty: false, follow: true, timestamps: false }
    for await (const { data } of await docker.containers.logs(id, which, call)) {
      text += data.toString()
      if (text.includes('tick 3')) break
    }
    await docker.containers.kill(id, 'SIGTERM', call)
    expect(await docker.containers.wait(id, 'not-running', call)).toBe(0)
    expect(text).toMatch(/^tick 1\ntick 2\ntick 3\n/)
  })

  it('ignores being asked where it is told to, also while it burns', async (context) => {
    const docker = rig(context)
    const prints = [{ stream: 'stdout', line: 'up' }] as const
    const id = await starts(docker, { ignoresTerm: true, burnsCpu: true, prints, exits: { code: 7, afterMs: never } })
    await expect.poll(async () => (await lines(docker, id)).stdout, { timeout: 30_000 }).toBe('up\n')
    await docker.docker.containers.kill(id, 'SIGTERM', call)
    expect((await runs(docker, id, { do: 'healthy' })).code).toBe(0)
    // As it does itself when its time has come, which nobody has to be quicker than here.
    await docker.docker.containers.kill(id, 'SIGUSR1', call)
    expect(await docker.docker.containers.wait(id, 'not-running', call)).toBe(7)
  })

  it('listens on the port of its name, and is well from then to then', async (context) => {
    const docker = rig(context)
    // Each is looked at in a state that it stays in, so that nobody can come too late.
    for (const [when, wanted] of [
      [{ healthyAfterMs: never }, 503],
      [{ healthyAfterMs: 300 }, 200],
      [{ healthyUntilMs: never }, 200],
      [{ healthyUntilMs: 300 }, 503],
    ] as const) {
      const id = await starts(docker, { listens: 'my-http', ...when }, ['PORT_MY_HTTP=8080'])
      const address = (await docker.docker.containers.inspect(id, call))?.NetworkSettings.Networks.bridge?.IPAddress
      const status = async () => (await fetch(`http://${address}:8080/any`).catch(() => undefined))?.status
      await expect.poll(status, { timeout: 30_000 }).toBe(wanted)
      expect((await runs(docker, id, { do: 'healthy' })).code).toBe(wanted === 200 ? 0 : 1)
    }
  })
})

const lines = async ({ docker }: RealDocker, id: string) =>
  texts(await docker.containers.logs(id, { tty: false, follow: false, timestamps: false }, call))

describe('a test command in a container', () => {
  let id: string
  beforeAll(async () => {
    if ('docker' in found) id = await starts(found, {})
  })

  it.for<[TestCommand, number, string, string]>([
    [{ do: 'say', stdout: 'out', stderr: 'err', exit: 42 }, 42, 'out', 'err'],
    [{ do: 'env', name: 'COLOUR' }, 0, 'red blue\n', ''],
    [{ do: 'env', name: 'NOPE' }, 1, '', ''],
    [{ do: 'where' }, 0, '/\n', ''],
    [{ do: 'who' }, 0, '0:0\n', ''],
    [{ do: 'read', path: `${busyboxFolder}/nope` }, 1, '', ''],
    [{ do: 'mode', path: '/etc/passwd' }, 0, '644\n', ''],
    [{ do: 'size' }, 0, 'no terminal\n', ''],
    [{ do: 'healthy' }, 0, '', ''],
  ])('%j', async ([what, code, stdout, stderr], context) => {
    expect(await runs(rig(context), id, what)).toEqual({ code, stdout, stderr })
  })

  it('writes and reads files', async (context) => {
    const docker = rig(context)
    const path = `${busyboxFolder}/note`
    expect((await runs(docker, id, { do: 'write', path, text: "it's\nkept" })).code).toBe(0)
    expect((await runs(docker, id, { do: 'read', path })).stdout).toBe("it's\nkept")
    expect((await runs(docker, id, { do: 'write', path: `${busyboxFolder}/no/such`, text: '' })).code).toBe(1)
  })

  it('copies stdin to its end', async (context) => {
    const input = 'line\n'.repeat(5000)
    expect(await runs(rig(context), id, { do: 'echo' }, input)).toEqual({ code: 0, stdout: input, stderr: '' })
  })

  it('reaches a port by name and on its own network, and nothing where nobody listens', async (context) => {
    const docker = rig(context)
    const env = ['PORT_HTTP=8080', 'GANTRY_PORT_LOCALHOST_HTTP=8080']
    const listening = await starts(docker, { listens: 'http' }, env)
    const reach = (number: number) =>
      runs(docker, listening, { do: 'reach', service: 'localhost', port: 'http', number })
    await expect.poll(async () => (await reach(8080)).code, { timeout: 30_000 }).toBe(0)
    expect((await reach(8099)).code).toBe(1)
  })
})
