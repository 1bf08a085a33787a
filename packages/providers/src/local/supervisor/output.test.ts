/** What processes write, as readers get it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineLog } from '../../log-line.ts'
import { linesOf } from '../../log-text.ts'
import { sendSignal } from '../../proc/processes.ts'
import { readMarks } from './adopt.ts'
import { counting, ending, staying } from './testing/programs.ts'
import { Site } from './testing/site.ts'

describe('the output of a process', () => {
  let site: Site
  beforeAll(() => {
    site = new Site()
  })
  afterAll(() => site.close())

  it('has both streams, ends an unended line with the run, and goes on with the next run', async () => {
    const program = `process.stdout.write('one\\ntwo'); process.stderr.write('three\\n')`
    await site.supervisor.ensure(site.spec('both', program), site.call)
    await site.seen('both', ({ phase }) => phase === 'ended', 'ended')
    expect((await site.lines('both')).sort()).toEqual(['stderr: three', 'stdout: one', 'stdout: two'])
    await site.supervisor.start('both', site.call)
    await site.seen('both', ({ phase, run }) => phase === 'ended' && run === 2, 'ended again')
    expect((await site.lines('both')).length).toBe(6)
  })

  it('is read on from any cursor, each line once', async () => {
    const program = `for (let i = 0; i < 50; i += 1) { console.log('out ' + i); console.error('err ' + i) }`
    await site.supervisor.ensure(site.spec('cursor', program), site.call)
    await site.seen('cursor', ({ phase }) => phase === 'ended', 'ended')
    const whole = await read({ follow: false })
    expect(whole.flatMap(wordsOf).length).toBe(100)
    for (const at of whole.keys()) {
      const rest = await read({ follow: false, cursor: whole[at]?.cursor ?? '' })
      expect(rest.flatMap(wordsOf).sort()).toEqual(
        whole
          .slice(at + 1)
          .flatMap(wordsOf)
          .sort(),
      )
    }
    expect((await read({ follow: false, tail: 3 })).flatMap(wordsOf)).toEqual(whole.flatMap(wordsOf).slice(-3))
    expect(await read({ follow: false, since: new Date(Date.now() + 60_000) })).toEqual([])

    async function read(from: Parameters<typeof site.supervisor.output>[1]): Promise<EngineLog[]> {
      return collect(site.supervisor.output('cursor', from, site.call))
    }
  })

  it('is followed while it comes, over a restart, until the process is removed', async () => {
    await site.supervisor.ensure(site.spec('follow', `console.log('run')`), site.call)
    const said: string[] = []
    const following = (async () => {
      for await (const log of site.supervisor.output('follow', { follow: true }, site.call)) said.push(...wordsOf(log))
    })()
    await site.until('the first line', () => said.length === 1)
    await site.seen('follow', ({ phase }) => phase === 'ended', 'ended')
    await site.supervisor.start('follow', site.call)
    await site.until('the second line', () => said.length === 2)
    await site.seen('follow', ({ phase }) => phase === 'ended', 'ended')
    await site.supervisor.remove('follow', site.call)
    await following
    expect(said).toEqual(['run', 'run'])
  })

  it('ends with the reason of whoever leaves', async () => {
    await site.supervisor.ensure(site.spec('leave', staying), site.call)
    const leave = new AbortController()
    const following = collect(site.supervisor.output('leave', { follow: true }, { signal: leave.signal }))
    leave.abort(new Error('enough'))
    await expect(following).rejects.toThrow('enough')
  })

  it('survives a program that opens its own output again', async () => {
    const program = `
      const fs = require('node:fs')
      console.log('first')
      for (let i = 0; i < 3; i += 1) fs.writeFileSync('/dev/stdout', 'again ' + i + '\\n')
      console.log('last')`
    await site.supervisor.ensure(site.spec('reopen', program), site.call)
    await site.seen('reopen', ({ phase }) => phase === 'ended', 'ended')
    expect(await site.lines('reopen')).toEqual(
      ['first', 'again 0', 'again 1', 'again 2', 'last'].map((line) => `stdout: ${line}`),
    )
  })

  it('is kept up to its bound: the oldest goes first, and its reader is told', async () => {
    const spec = site.spec('bound', counting(60_000), { keepOutputBytes: 1 << 20 })
    await site.supervisor.ensure(spec, site.call)
    // The last of the long stream: a line of the other may have been read early, and be gone with the oldest.
    await site.line('bound', /^stdout: \S+ 59999\b/)
    const kept = await collect(site.supervisor.output('bound', { follow: false }, site.call))
    const numbers = kept.flatMap((log) =>
      log.type === 'lines' && log.stream === 'stdout' ? wordsOf(log).map((line) => Number(line.split(' ')[1])) : [],
    )
    expect(numbers.at(-1)).toBe(59_999)
    expect(numbers[0]).toBeGreaterThan(0)
    expect(numbers.findIndex((number, at) => number !== (numbers[0] ?? 0) + at)).toBe(-1)
    const late = await collect(site.supervisor.output('bound', { follow: false, cursor: '100.0.0' }, site.call))
    expect(late[0]).toMatchObject({ type: 'gap' })
    expect(late.slice(1).flatMap(wordsOf)).toEqual(kept.flatMap(wordsOf))
    await expect(
      collect(site.supervisor.output('bound', { follow: false, cursor: 'x' }, site.call)),
    ).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('goes on while its raw file begins anew, with nothing lost', async () => {
    const to = 250_000
    await site.supervisor.ensure(site.spec('large', counting(to)), site.call)
    await site.line('large', /^stderr: done/)
    let next = 0
    for await (const log of site.supervisor.output('large', { follow: false }, site.call)) {
      if (log.type === 'gap' || log.stream === 'stderr') continue
      for (const line of linesOf(log.text)) if (Number(line.split(' ')[1]) === next) next += 1
    }
    expect(next).toBe(to)
    await site.supervisor.stop('large', { graceMs: 0 }, site.call)
    await site.seen('large', ({ phase }) => phase === 'stopped', 'stopped')
  })

  it('goes on after what takes it over was killed, and says that something may be missing', async () => {
    const program = `let i = 0; setInterval(() => { console.log('tick ' + i++); console.error('tock') }, 20)`
    await site.supervisor.ensure(site.spec('pump', program), site.call)
    await site.line('pump', /tick/)
    const marks = readMarks()
    for (const kill of ['stdout', 'stderr'] as const) {
      const pump = [...marks.pumps].find(([mark]) => mark.startsWith('pump.1.') && mark.endsWith(kill))?.[1]
      if (!pump) throw new Error('there is a pump')
      sendSignal(pump, 'SIGKILL')
    }
    await site.line('pump', /^gap: .*stdout/)
    const before = (await site.lines('pump')).length
    await site.until('more of both', async () => {
      const more = (await site.lines('pump')).slice(before)
      return more.some((line) => line.includes('tick')) && more.some((line) => line.includes('tock'))
    })
    await site.killSupervisor()
    const known = (await site.lines('pump')).length
    await site.supervisor.info(site.call)
    await site.until(
      'more after its supervisor was killed too',
      async () => (await site.lines('pump')).length > known + 4,
    )
  })

  it('of a process that ended at once is all there when its end is told', async () => {
    await site.supervisor.ensure(site.spec('quick', `console.log('said'); ${ending(2)}`), site.call)
    await site.seen('quick', ({ phase }) => phase === 'failed', 'failed')
    expect(await site.lines('quick')).toEqual(['stdout: said'])
  })
})

function wordsOf(log: EngineLog): string[] {
  return log.type === 'lines' ? linesOf(log.text) : [log.message]
}

async function collect(logs: AsyncIterable<EngineLog>): Promise<EngineLog[]> {
  const all: EngineLog[] = []
  for await (const log of logs) all.push(log)
  return all
}
