/** Commands in the environment of a process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExecSession } from '../../exec.ts'
import { isAlive } from '../../proc/processes.ts'
import type { SupervisedExec } from './supervisor.ts'
import { escaping, staying } from './testing/programs.ts'
import { identityOf, Site } from './testing/site.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

async function all(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let whole = ''
  for await (const bytes of stream) whole += text(bytes)
  return whole
}

async function until(session: ExecSession, pattern: RegExp): Promise<string> {
  let whole = ''
  for await (const bytes of session.stdout) {
    whole += text(bytes)
    if (pattern.test(whole)) return whole
  }
  throw new Error(`it ended without ${pattern}: ${whole}`)
}

describe('a command in a process', () => {
  let site: Site
  const node = (program: string, more: Partial<SupervisedExec> = {}): SupervisedExec => ({
    argv: [process.execPath, '-e', program],
    ...more,
  })
  const run = (request: SupervisedExec) => site.supervisor.exec('main', request, site.call)

  beforeAll(async () => {
    site = new Site()
    const env = { PATH: process.env.PATH ?? '', GREETING: 'hello' }
    await site.supervisor.ensure(site.spec('main', staying, { env, cwd: '/' }), site.call)
  })
  afterAll(() => site.close())

  it('has its environment and folder, both streams apart, and its own exit code', async () => {
    const session = await run(
      node(
        `console.log(process.env.GREETING, process.env.MORE, process.cwd()); console.error('err'); process.exitCode = 3`,
        { env: { MORE: 'more' } },
      ),
    )
    expect(await Promise.all([all(session.stdout), all(session.stderr), session.exit])).toEqual([
      'hello more /\n',
      'err\n',
      { ended: 'exited', exitCode: 3 },
    ])
  })

  it('reads what is written to it, to its end, and nothing where nothing was promised', async () => {
    const echo = node('process.stdin.pipe(process.stdout)', { stdin: true })
    const session = await run(echo)
    const chunk = Buffer.alloc(300_000, 'x')
    const read = all(session.stdout)
    for (let at = 0; at < 10; at += 1) await session.write(chunk)
    await session.end()
    expect((await read).length).toBe(3_000_000)
    expect(await session.exit).toEqual({ ended: 'exited', exitCode: 0 })
    const silent = await run({ ...echo, stdin: false })
    expect(await all(silent.stdout)).toBe('')
  })

  it('waits while nobody reads what it writes', async () => {
    const session = await run(
      node(`
      let written = 0
      const more = () => { while (written < 50e6) { written += 65536; if (!process.stdout.write(Buffer.alloc(65536))) return process.stdout.once('drain', more) } }
      more(); setInterval(() => { console.error(String(written)) }, 100)`),
    )
    const seen: number[] = []
    for await (const bytes of session.stderr) {
      seen.push(Number(text(bytes).trim().split('\n').at(-1)))
      if (seen.length > 5 && seen.at(-1) === seen.at(-4)) break
    }
    expect(seen.at(-1)).toBeLessThan(10e6)
  })

  it('that is not there ends with 127 and says so', async () => {
    const session = await run({ argv: ['no-such-program-anywhere'] })
    expect(await Promise.all([all(session.stderr), session.exit])).toEqual([
      'no-such-program-anywhere: not found\n',
      { ended: 'exited', exitCode: 127 },
    ])
  })

  it('has a terminal of the size it is given, also after a resize', async () => {
    const program = `
      const size = () => console.log('size ' + process.stdout.rows + ' ' + process.stdout.columns)
      process.stdout.on('resize', size); size(); process.stdin.on('data', () => process.exit(5))`
    const session = await run(node(program, { stdin: true, tty: { rows: 11, columns: 33 } }))
    expect(await until(session, /size \d+ \d+/)).toContain('size 11 33')
    const other = await run(node(program, { stdin: true, tty: { rows: 11, columns: 33 } }))
    const resized = (async () => {
      let whole = ''
      for await (const bytes of other.stdout) {
        whole += text(bytes)
        if (/size 11 33/.test(whole) && !/size 44/.test(whole)) await other.resize({ rows: 44, columns: 99 })
        if (/size 44 99/.test(whole)) return whole
      }
      return whole
    })()
    expect(await resized).toContain('size 44 99')
    await other.write(Buffer.from('\n'))
    expect(await other.exit).toEqual({ ended: 'exited', exitCode: 5 })
    const plain = await run(node(''))
    await expect(plain.resize({ rows: 1, columns: 1 })).rejects.toMatchObject({ reason: 'capability_missing' })
    await session.write(Buffer.from('\n'))
  })

  for (const tty of [undefined, { rows: 24, columns: 80 }]) {
    it(`is killed whole when the caller leaves, ${tty ? 'with a terminal' : 'with pipes'}`, async () => {
      const leave = new AbortController()
      const request = node(escaping('kept'), { ...(tty && { tty }) })
      const session = await site.supervisor.exec('main', request, { signal: leave.signal })
      const child = identityOf(Number(/escaped (\d+)/.exec(await until(session, /escaped \d+/))?.[1]))
      leave.abort(new Error('enough'))
      expect(await session.exit).toEqual({ ended: 'killed' })
      await site.until('the end of its child', () => !isAlive(child))
    })
  }

  it('is ended with the supervisor, and by the next one if need be', async () => {
    const session = await run(node(escaping('kept')))
    const child = identityOf(Number(/escaped (\d+)/.exec(await until(session, /escaped \d+/))?.[1]))
    await site.killSupervisor()
    await expect(session.exit).rejects.toMatchObject({ reason: 'engine_unreachable' })
    expect(await site.supervisor.look('main', site.call)).toMatchObject({ phase: 'running', run: 1 })
    await site.until('the end of its child', () => !isAlive(child))
  })

  it('is refused where nothing runs', async () => {
    await site.supervisor.ensure(site.spec('over', ''), site.call)
    await site.seen('over', ({ phase }) => phase === 'ended', 'ended')
    await expect(site.supervisor.exec('over', node(''), site.call)).rejects.toMatchObject({
      reason: 'service_not_running',
    })
    await expect(site.supervisor.exec('nobody', node(''), site.call)).rejects.toMatchObject({
      reason: 'instance_not_found',
    })
  })
})
