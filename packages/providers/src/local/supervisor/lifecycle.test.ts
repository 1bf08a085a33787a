/** What the interface promises of starting, ending and telling, on real processes. */
import { expect, it } from 'vitest'
import { isAlive } from '../../proc/processes.ts'
import { forEachTracking } from './testing/each-tracking.ts'
import { ending, slow, staying, stubborn } from './testing/programs.ts'
import { identityOf } from './testing/site.ts'

forEachTracking('a process', (site) => {
  it('runs once it is ensured, and is told the same when it is ensured again', async () => {
    const { supervisor, call } = site()
    const spec = site().spec('one', staying, { labels: { app: 'x' } })
    const first = await supervisor.ensure(spec, call)
    expect(first).toMatchObject({ id: 'one', phase: 'running', run: 1, restarts: 0, labels: { app: 'x' } })
    expect(isAlive(identityOf(first.pid ?? 0))).toBe(true)
    expect(await supervisor.ensure(spec, call)).toEqual(first)
    const other = { ...spec, argv: ['other'] }
    await expect(supervisor.ensure(other, call)).rejects.toMatchObject({ reason: 'already_exists' })
  })

  it('is started after those before it, and not if one of them could not be', async () => {
    const { supervisor, call } = site()
    const known = site().spec('known', ending(0))
    await supervisor.ensure(known, call)
    await site().seen('known', ({ phase }) => phase === 'ended', 'ended')
    const first = site().spec('first', staying)
    const missing = { ...site().spec('missing', staying), argv: ['no-such-program'] }
    const never = site().spec('never', staying)
    const seen = await supervisor.ensureInOrder([known, first, missing, never], call)
    expect(seen.map(({ id, phase }) => `${id} ${phase}`)).toEqual(['known ended', 'first running', 'missing failed'])
    expect(await supervisor.look('never', call)).toBeUndefined()
  })

  it('is in its own tree also if it was prepared for, however often and at what moment', async () => {
    const { supervisor, call } = site()
    const ids = ['early', 'often', 'late', 'twice']
    await Promise.all(
      ids.flatMap((id) => [
        supervisor.prepare(call),
        supervisor.ensure(site().spec(id, staying), call),
        supervisor.prepare(call),
      ]),
    )
    const usage = await supervisor.usage(ids, call)
    expect(usage.map(({ id, processes }) => `${id} ${processes}`).sort()).toEqual(ids.map((id) => `${id} 1`).sort())
  })

  it('is given its environment and folder, and nothing of ours', async () => {
    const program = `console.log(JSON.stringify([process.cwd(), Object.keys(process.env).sort()]))`
    await site().supervisor.ensure(
      site().spec('env', program, { cwd: '/', env: { A: '1', PATH: '/bin' } }),
      site().call,
    )
    expect(await site().line('env', /^stdout: \[/)).toBe(JSON.stringify(['/', ['A', 'GANTRY_PROCESS', 'PATH']]))
  })

  it('tells the exit code and the signal it ended with, and stays ended', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('good', ending(0)), call)
    await supervisor.ensure(site().spec('bad', ending(7)), call)
    await supervisor.ensure(site().spec('shot', `process.kill(process.pid, 'SIGKILL')`), call)
    const over = (id: string) => site().seen(id, ({ phase }) => phase === 'ended' || phase === 'failed', 'over')
    expect(await over('good')).toMatchObject({ phase: 'ended', lastExit: { code: 0, asked: false } })
    expect(await over('bad')).toMatchObject({ phase: 'failed', lastExit: { code: 7, asked: false } })
    expect(await over('shot')).toMatchObject({ phase: 'failed', lastExit: { code: 137, signal: 'SIGKILL' } })
    expect(await supervisor.ensure(site().spec('good', ending(0)), call)).toMatchObject({ phase: 'ended', run: 1 })
  })

  it('is stopped by being asked, within its grace, and stays stopped until it is started', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('slow', slow(200), { restart: { policy: 'always', maxPerHour: 9 } }), call)
    await site().line('slow', /up/)
    expect(await supervisor.stop('slow', {}, call)).toMatchObject({ phase: 'stopping' })
    const stopped = await site().seen('slow', ({ phase }) => phase === 'stopped', 'stopped')
    expect(stopped).toMatchObject({ restarts: 0, lastExit: { code: 0, asked: true } })
    expect(await site().lines('slow')).toContain('stdout: asked')
    expect(
      await supervisor.ensure(site().spec('slow', slow(200), { restart: { policy: 'always', maxPerHour: 9 } }), call),
    ).toEqual(stopped)
    expect(await supervisor.start('slow', call)).toMatchObject({ phase: 'running', run: 2, restarts: 0 })
  })

  it('is killed when its grace is over, also when that is shortened while it is stopping', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('stubborn', stubborn, { stopGraceMs: 3_600_000 }), call)
    await site().line('stubborn', /up/)
    await supervisor.stop('stubborn', {}, call)
    await site().line('stubborn', /asked/)
    expect(await supervisor.look('stubborn', call)).toMatchObject({ phase: 'stopping' })
    await supervisor.stop('stubborn', { graceMs: 1 }, call)
    const stopped = await site().seen('stubborn', ({ phase }) => phase === 'stopped', 'stopped')
    expect(stopped.lastExit).toMatchObject({ code: 137, signal: 'SIGKILL', asked: true })
  })

  it('that is started while it is stopping ends first, and then runs again', async () => {
    const { supervisor, call } = site()
    const first = await supervisor.ensure(site().spec('again', slow(100)), call)
    await site().line('again', /up/)
    await supervisor.stop('again', {}, call)
    expect(await supervisor.start('again', call)).toMatchObject({ phase: 'stopping' })
    const second = await site().seen('again', ({ phase }) => phase === 'running', 'running again')
    expect(second.run).toBe(2)
    expect(second.pid).not.toBe(first.pid)
  })

  it('is removed with its output when nothing of it lives, and not before', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('gone', staying), call)
    await expect(supervisor.remove('gone', call)).rejects.toMatchObject({ reason: 'illegal_transition' })
    await supervisor.stop('gone', { graceMs: 0 }, call)
    await site().seen('gone', ({ phase }) => phase === 'stopped', 'stopped')
    await supervisor.remove('gone', call)
    await supervisor.remove('gone', call)
    expect(await supervisor.look('gone', call)).toBeUndefined()
    await expect(site().lines('gone')).rejects.toMatchObject({ reason: 'instance_not_found' })
    await expect(supervisor.start('gone', call)).rejects.toMatchObject({ reason: 'instance_not_found' })
  })

  it('is found by its labels', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('a', ending(0), { labels: { app: 'found', part: '1' } }), call)
    await supervisor.ensure(site().spec('b', ending(0), { labels: { app: 'found', part: '2' } }), call)
    const ids = async (labels: Record<string, string>) => (await supervisor.list(labels, call)).map(({ id }) => id)
    expect(await ids({ app: 'found' })).toEqual(['a', 'b'])
    expect(await ids({ app: 'found', part: '2' })).toEqual(['b'])
    expect(await ids({ app: 'y' })).toEqual([])
  })

  it('is watched from a snapshot through every change to its removal', async () => {
    const { supervisor } = site()
    const leave = new AbortController()
    const told: string[] = []
    const watching = (async () => {
      for await (const event of supervisor.watch({ signal: leave.signal })) {
        if (event.type === 'snapshot') told.push('snapshot')
        else if (event.type === 'removed' && event.id === 'w') told.push('removed')
        else if (event.type === 'changed' && event.process.id === 'w') told.push(event.process.phase)
      }
    })()
    await site().until('a snapshot', () => told.length === 1)
    await supervisor.ensure(site().spec('w', ending(0)), site().call)
    await site().seen('w', ({ phase }) => phase === 'ended', 'ended')
    await supervisor.remove('w', site().call)
    await site().until('its removal', () => told.includes('removed'))
    expect(told.filter((each, at) => each !== told[at - 1])).toEqual([
      'snapshot',
      'waiting',
      'running',
      'stopping',
      'ended',
      'removed',
    ])
    leave.abort(new Error('enough'))
    await expect(watching).rejects.toThrow('enough')
  })
})
