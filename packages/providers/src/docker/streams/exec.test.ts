import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import type { ExecRequest, ExecSession } from '../../exec.ts'
import { type RealDocker, realDocker } from '../../testing/real-docker.ts'
import type { DockerApi } from '../api/api.ts'
import { containerExec } from './exec.ts'
import type { ExecSettings } from './streams.ts'

const signal = AbortSignal.timeout(600_000)
const call = { signal }

describe('a command in a real container', () => {
  let found: Awaited<ReturnType<typeof realDocker>>
  let id: string
  beforeAll(async () => {
    found = await realDocker()
    if ('docker' in found) id = await found.run(['sleep', '100000'], { Env: ['COLOUR=red'] })
  })
  afterAll(() => ('docker' in found ? found.end() : undefined))

  const rig = ({ skip }: Pick<TestContext, 'skip'>): RealDocker => ('missing' in found ? skip(found.missing) : found)

  const ran = async (docker: DockerApi, request: ExecRequest, settings?: ExecSettings, input?: string) => {
    const session = await containerExec(docker, id, request, call, settings)
    const texts = Promise.all([textOf(session.stdout), textOf(session.stderr)])
    if (input !== undefined) await session.write(Buffer.from(input))
    if (input !== undefined) await session.end()
    const [stdout, stderr] = await texts
    return { stdout, stderr, exit: await session.exit }
  }

  /** How many commands with this in their arguments run in the container. */
  const left = async (docker: DockerApi, word: string): Promise<string> => {
    const argv = ['sh', '-c', 'ps -o args | grep -c "[s]leep $0"', word]
    return (await ran(docker, { argv })).stdout.trim()
  }

  it('has its own exit code, both streams apart, and its input with its end', async (context) => {
    const { docker } = rig(context)
    const argv = ['sh', '-c', 'cat; echo bad >&2; exit 42']
    const input = 'line one\nline two\n'.repeat(20_000)
    expect(await ran(docker, { argv, stdin: true }, {}, input)).toEqual({
      stdout: input,
      stderr: 'bad\n',
      exit: { ended: 'exited', exitCode: 42 },
    })
    expect((await ran(docker, { argv: ['cat'] })).stdout).toBe('')
  })

  it('runs as the container does, but for what is asked for', async (context) => {
    const { docker } = rig(context)
    const argv = ['sh', '-c', 'echo $COLOUR $MORE $(id -u) $(pwd)']
    expect((await ran(docker, { argv })).stdout).toBe('red 0 /\n')
    const settings = { env: { MORE: 'a b' }, user: '1234', workingDir: '/tmp' }
    const home = await ran(docker, { argv: ['mkdir', '-p', '/tmp'] })
    expect(home.exit).toEqual({ ended: 'exited', exitCode: 0 })
    expect((await ran(docker, { argv }, settings)).stdout).toBe('red a b 1234 /tmp\n')
  })

  it('that cannot be started ends with 126 or 127, and why is on stderr', async (context) => {
    const { docker } = rig(context)
    for (const argv of [['no-such-program'], ['/proc']]) {
      const { stdout, stderr, exit } = await ran(docker, { argv })
      expect(stdout).toBe('')
      expect(stderr).toContain(argv[0])
      expect([126, 127]).toContain(exit.ended === 'exited' && exit.exitCode)
    }
  })

  it('has a terminal of a size that changes, and reads its end', async (context) => {
    const { docker } = rig(context)
    const tty = { rows: 24, columns: 80 }
    const argv = ['sh', '-c', 'read go; stty size; read go; stty size; cat; echo over']
    const session = await containerExec(docker, id, { argv, stdin: true, tty }, call)
    const reading = textOf(session.stdout)
    await session.write(Buffer.from('\n'))
    await session.resize({ rows: 50, columns: 132 })
    await session.write(Buffer.from('\n'))
    await session.end()
    const text = await reading
    expect(text).toContain('50 132\r\n')
    expect(text).toContain('over\r\n')
    expect(await session.exit).toEqual({ ended: 'exited', exitCode: 0 })
    await session.resize(tty)
    const plain = await containerExec(docker, id, { argv: ['true'] }, call)
    await expect(plain.resize(tty)).rejects.toMatchObject({ reason: 'capability_missing' })
    await plain.exit
  })

  it('waits while nobody reads, and loses nothing', async (context) => {
    const { docker } = rig(context)
    const argv = ['sh', '-c', 'head -c 30000000 /dev/zero; echo done >&2']
    const session = await containerExec(docker, id, { argv }, call)
    const iterator = session.stdout[Symbol.asyncIterator]()
    let bytes = (await iterator.next()).value?.length ?? 0
    // What is on its way fits into windows and sockets: the command cannot have ended.
    const early = await Promise.race([session.exit, looks(docker, 20)])
    expect(early).toBeUndefined()
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) bytes += next.value.length
    expect(bytes).toBe(30_000_000)
    expect(await textOf(session.stderr)).toBe('done\n')
    expect(await session.exit).toEqual({ ended: 'exited', exitCode: 0 })
  })

  it.for([
    ['with pipes', undefined],
    ['in a terminal', { rows: 24, columns: 80 }],
  ] as const)('is killed with all that it has started when its caller leaves, %s', async ([how, tty], context) => {
    const { docker } = rig(context)
    const word = tty ? '4711' : '4712'
    const leaving = new AbortController()
    const argv = ['sh', '-c', `env -i sleep ${word} & setsid sleep ${word} & echo hanging; exec sleep ${word}`]
    const session = await containerExec(docker, id, { argv, stdin: true, ...(tty ? { tty } : {}) }, leaving)
    const reading = textOf(session.stdout, (text) => {
      if (text.includes('hanging')) leaving.abort(new Error(`enough ${how}`))
    })
    expect(await reading).toContain('hanging')
    expect(await session.exit).toEqual({ ended: 'killed' })
    expect(await left(docker, word)).toBe('0')
    await expect(session.write(Buffer.from('x'))).rejects.toThrow('enough')
  })

  describe('whose processes are not seen here', () => {
    // Bears another mark than the one that is looked for: as on another machine.
    const unseen = (api: DockerApi): DockerApi => ({
      ...api,
      execs: {
        ...api.execs,
        create: (container, settings, within) => {
          const Env = (settings.Env ?? []).filter((each) => !each.startsWith('GANTRY_EXEC='))
          return api.execs.create(container, { ...settings, Env }, within)
        },
      },
    })

    /** How it ended, of a command that says that it hangs. */
    const leftBehind = async (docker: DockerApi, argv: readonly string[]) => {
      const leaving = new AbortController()
      const session = await containerExec(unseen(docker), id, { argv, stdin: true }, leaving)
      await textOf(session.stdout, () => leaving.abort(new Error('enough')))
      return await session.exit
    }

    it('is left running when its caller leaves, and says so', async (context) => {
      const { docker } = rig(context)
      expect(await leftBehind(docker, ['sh', '-c', 'echo hanging; exec sleep 4713'])).toEqual({ ended: 'left_running' })
      expect(await left(docker, '4713')).toBe('1')
    })

    it('has ended by itself, not by us, when it does as its input ends', async (context) => {
      const { docker } = rig(context)
      const argv = ['sh', '-c', 'echo hanging; cat; exit 7']
      expect(await leftBehind(docker, argv)).toEqual({ ended: 'exited', exitCode: 7 })
    })
  })

  it('does not begin for who has left, nor in what does not run', async (context) => {
    const { docker, run } = rig(context)
    const reason = new Error('gone')
    await expect(containerExec(docker, id, { argv: ['true'] }, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
    const over = await run(['true'])
    await docker.containers.wait(over, 'not-running', call)
    await expect(containerExec(docker, over, { argv: ['true'] }, call)).rejects.toMatchObject({
      reason: 'service_not_running',
    })
    const none = containerExec(docker, 'no-such-container', { argv: ['true'] }, call)
    await expect(none).rejects.toMatchObject({ reason: 'engine_object_not_found' })
  })
})

async function textOf(stream: ExecSession['stdout'], heard: (text: string) => void = () => undefined): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const bytes of stream) {
    chunks.push(bytes)
    heard(Buffer.concat(chunks).toString())
  }
  return Buffer.concat(chunks).toString()
}

/** Asks the engine so many questions: time in which something could happen. */
async function looks(docker: DockerApi, times: number): Promise<undefined> {
  for (let time = 0; time < times; time += 1) await docker.system.version(call)
  return undefined
}
