/** Sudden deaths, by kill -9: of whoever asked, of the supervisor, and at the moments that are hardest to get right. */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { linesOf } from '../../log-text.ts'
import { isAlive, sendSignal } from '../../proc/processes.ts'
import { foldersOf } from './folders.ts'
import { forEachTracking } from './testing/each-tracking.ts'
import { counting, ending, escaping, staying } from './testing/programs.ts'
import { identityOf } from './testing/site.ts'

const again = { policy: 'always', maxPerHour: 50, backoff: { firstMs: 10, longestMs: 10, stableMs: 60_000 } } as const

forEachTracking('after kill -9', (site) => {
  it('of the client, what it started is found as it was', async () => {
    const program = fileURLToPath(new URL('./testing/client-main.ts', import.meta.url)).replace(
      /([\\/])src([\\/].*)\.ts$/,
      '$1dist$2.js',
    )
    const client = fork(program, [site().dataDir, JSON.stringify(site().spec('orphan', staying))], {
      execArgv: [],
    })
    const [seen] = (await once(client, 'message')) as [{ pid: number }]
    client.kill('SIGKILL')
    await once(client, 'exit')
    expect(await site().connect().look('orphan', site().call)).toMatchObject({
      phase: 'running',
      pid: seen.pid,
      run: 1,
    })
  })

  it('of the supervisor, survivors are adopted with their start time, restarts and output, and their end is unknown', async () => {
    const { supervisor, call } = site()
    const before = await supervisor.ensure(site().spec('kept', staying, { restart: again }), call)
    await site().line('kept', /up/)
    await site().killSupervisor()
    expect(await supervisor.look('kept', call)).toEqual(before)
    expect(await site().lines('kept')).toEqual([`stdout: up ${before.pid}`])
    sendSignal(identityOf(before.pid ?? 0), 'SIGKILL')
    const after = await site().seen('kept', ({ run }) => run === 2, 'started again')
    expect(after).toMatchObject({
      restarts: 1,
      lastExit: { code: 'unknown', asked: false, startedAt: before.startedAt },
    })
  })

  it('of the supervisor while a process begins, what it says first is there all the same', async () => {
    const { supervisor, call } = site()
    const { pid } = await supervisor.ensure(site().spec('young', staying), call)
    await site().killSupervisor()
    await supervisor.info(call)
    expect(await site().line('young', /up/)).toBe(`up ${pid}`)
    expect((await site().lines('young')).filter((line) => line.startsWith('stdout'))).toEqual([`stdout: up ${pid}`])
  })

  it('of the supervisor and then of a process, the missed end is unknown and never 0', async () => {
    const { supervisor, call } = site()
    const { pid } = await supervisor.ensure(site().spec('missed', staying), call)
    const main = identityOf(pid ?? 0)
    await site().killSupervisor()
    sendSignal(main, 'SIGTERM')
    await site().until('its end', () => !isAlive(main))
    expect(await site().seen('missed', ({ phase }) => phase === 'failed', 'failed')).toMatchObject({
      lastExit: { code: 'unknown' },
    })
  })

  it('of the supervisor, an exit that was told stays told', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('told', ending(9)), call)
    const told = await site().seen('told', ({ phase }) => phase === 'failed', 'failed')
    await site().killSupervisor()
    expect(await supervisor.look('told', call)).toEqual(told)
  })

  it('of the supervisor, an adopted tree is still ended whole', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('tree', escaping('kept')), call)
    const child = identityOf(Number((await site().line('tree', /escaped/)).split(' ')[1]))
    await site().killSupervisor()
    await supervisor.stop('tree', { graceMs: 0 }, call)
    await site().seen('tree', ({ phase }) => phase === 'stopped', 'stopped')
    expect(isAlive(child)).toBe(false)
  })

  it('of the supervisor in the middle of a stop, the stop is carried through', async () => {
    const { supervisor, call } = site()
    const ignoring = `process.on('SIGTERM', () => console.log('asked')); ${staying}`
    const { pid } = await supervisor.ensure(site().spec('stop', ignoring, { stopGraceMs: 700 }), call)
    await site().line('stop', /up/)
    const main = identityOf(pid ?? 0)
    await supervisor.stop('stop', {}, call)
    await site().killSupervisor()
    await site().seen('stop', ({ phase }) => phase === 'stopped', 'stopped')
    expect(isAlive(main)).toBe(false)
  })

  it('of the supervisor, no line of a busy process is lost or repeated', async () => {
    const { supervisor, call } = site()
    const to = 150_000
    await supervisor.ensure(site().spec('count', counting(to)), call)
    for (const mark of ['line 1000 ', 'line 40000 ', 'line 90000 ']) {
      await site().until(mark, async () => (await tail(mark)).length > 0)
      await site().killSupervisor()
      await supervisor.info(call)
    }
    await site().line('count', /^stderr: done/)
    const numbers: number[] = []
    for await (const log of supervisor.output('count', { follow: false }, call)) {
      if (log.type === 'gap') throw new Error(`there is a gap: ${log.message}`)
      if (log.stream === 'stdout') numbers.push(...linesOf(log.text).map((line) => Number(line.split(' ')[1])))
    }
    expect(numbers.length).toBe(to)
    expect(numbers.findIndex((number, at) => number !== at)).toBe(-1)

    /** Whether it has come at least this far. */
    async function tail(mark: string): Promise<number[]> {
      const from = Number(mark.split(' ')[1])
      const last: number[] = []
      for await (const log of supervisor.output('count', { follow: false, tail: 3 }, call)) {
        const lines = log.type === 'lines' ? linesOf(log.text) : []
        last.push(...lines.map((line) => Number(line.split(' ')[1])).filter((number) => number >= from))
      }
      return last
    }
  })

  it('between the start of a process and its record, the process is found by its mark', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('other', staying), call)
    const before = await supervisor.ensure(site().spec('unwritten', staying), call)
    await site().line('unwritten', /up/)
    await site().killSupervisor()
    site().forget('unwritten', 'started')
    expect(await supervisor.look('unwritten', call)).toMatchObject({ phase: 'running', pid: before.pid, run: 1 })
  })

  it('and a pid that now belongs to another, that other is neither taken for it nor killed', async () => {
    const { supervisor, call } = site()
    const { pid } = await supervisor.ensure(site().spec('reused', staying), call)
    await site().killSupervisor()
    const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
    try {
      const other = identityOf(stranger.pid ?? 0)
      sendSignal(identityOf(pid ?? 0), 'SIGKILL')
      // As if the stranger had got the pid, at the very same tick even: only the mark tells them apart.
      appendFileSync(
        foldersOf(site().dataDir).journal,
        `${JSON.stringify({ type: 'started', id: 'reused', main: other, at: 1 })}\n`,
      )
      await supervisor.stop('reused', { graceMs: 0 }, call)
      const stopped = await site().seen('reused', ({ phase }) => phase === 'stopped', 'stopped')
      expect(stopped).toMatchObject({ lastExit: { code: 'unknown' } })
      expect(isAlive(other)).toBe(true)
    } finally {
      stranger.kill('SIGKILL')
    }
  })
})
