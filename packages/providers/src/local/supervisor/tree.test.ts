/** The whole tree: found, asked and killed, also children that made sessions of their own. */
import { expect, it } from 'vitest'
import { isAlive } from '../../proc/processes.ts'
import { forEachTracking } from './testing/each-tracking.ts'
import { escaping, staying } from './testing/programs.ts'
import { identityOf, type Site } from './testing/site.ts'

async function escaped(site: Site, id: string): Promise<ReturnType<typeof identityOf>> {
  return identityOf(Number((await site.line(id, /escaped/)).split(' ')[1]))
}

forEachTracking('a tree of processes', (site, kind) => {
  it('is ended whole by a stop, with a child in a session of its own whose parent is gone', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('tree', escaping('kept'), { stopGraceMs: 300 }), call)
    const child = await escaped(site(), 'tree')
    await supervisor.stop('tree', {}, call)
    await site().seen('tree', ({ phase }) => phase === 'stopped', 'stopped')
    expect(isAlive(child)).toBe(false)
  })

  it('is ended whole also where a child cleared its environment', async ({ skip }) => {
    if (kind === 'marker') skip('without groups such a child cannot be found')
    const { supervisor, call } = site()
    await supervisor.ensure(site().spec('cleared', escaping('cleared')), call)
    const child = await escaped(site(), 'cleared')
    await supervisor.stop('cleared', { graceMs: 0 }, call)
    await site().seen('cleared', ({ phase }) => phase === 'stopped', 'stopped')
    expect(isAlive(child)).toBe(false)
  })

  it('leaves nothing behind when its main process ends by itself, before it is started again', async () => {
    const { supervisor, call } = site()
    const program = escaping('kept', `setTimeout(() => process.exit(4), 1500)`)
    const restart = {
      policy: 'always',
      maxPerHour: 9,
      backoff: { firstMs: 1, longestMs: 1, stableMs: 60_000 },
    } as const
    await supervisor.ensure(site().spec('crash', program, { stopGraceMs: 100, restart }), call)
    const child = await escaped(site(), 'crash')
    const again = await site().seen('crash', ({ run }) => run === 2, 'started again')
    expect(again.lastExit).toMatchObject({ code: 4, asked: false })
    expect(isAlive(child)).toBe(false)
  })

  it('is counted whole in what it uses', async () => {
    const { supervisor, call } = site()
    await supervisor.ensure(
      site().spec('busy', escaping('kept', `while (process.cpuUsage().user < 300_000); ${staying}`)),
      call,
    )
    await escaped(site(), 'busy')
    await site().line('busy', /up/)
    const [usage] = await supervisor.usage(['busy'], call)
    expect(usage?.processes).toBeGreaterThanOrEqual(2)
    expect(usage?.cpuMicros).toBeGreaterThan(300_000)
    expect(usage?.memoryBytes).toBeGreaterThan(1 << 20)
    expect(await supervisor.usage(['nobody'], call)).toEqual([])
  })
})
