/** Limits that are in force, and limits that are said not to be. */
import { afterEach, describe, expect, it } from 'vitest'
import { staying } from './testing/programs.ts'
import { Site } from './testing/site.ts'

describe('a limit', () => {
  let site: Site
  afterEach(() => site.close())

  it('of memory ends a process that takes more', async ({ skip }) => {
    site = new Site()
    if (!(await site.supervisor.info(site.call)).enforces.includes('memoryBytes')) skip('memory cannot be limited here')
    const program = `const all = []; setInterval(() => all.push(Buffer.alloc(16 << 20, 1)), 10)`
    await site.supervisor.ensure(site.spec('greedy', program, { limits: { memoryBytes: 200 << 20 } }), site.call)
    const over = await site.seen('greedy', ({ phase }) => phase === 'failed', 'killed')
    expect(over).toMatchObject({ lastExit: { code: 137, signal: 'SIGKILL' }, notEnforced: [] })
  })

  it('of processes refuses it one more', async ({ skip }) => {
    site = new Site()
    if (!(await site.supervisor.info(site.call)).enforces.includes('pids')) skip('processes cannot be limited here')
    const program = `
      const { spawn } = require('node:child_process')
      const refused = new Set()
      setTimeout(() => {
        for (let i = 0; i < 40; i += 1) spawn('sleep', ['60']).on('error', ({ code }) => refused.add(code))
        setTimeout(() => console.log('refused ' + [...refused]), 100)
      }, 500); ${staying}`
    await site.supervisor.ensure(site.spec('few', program, { limits: { pids: 30 } }), site.call)
    expect(await site.line('few', /refused/)).toBe('refused EAGAIN')
  })

  it('of cpu holds it back', async ({ skip }) => {
    site = new Site()
    if (!(await site.supervisor.info(site.call)).enforces.includes('cpuMillis')) skip('cpu cannot be limited here')
    const program = `
      setTimeout(() => {
        const began = Date.now(), before = process.cpuUsage().user
        while (process.cpuUsage().user - before < 300_000);
        console.log('took ' + (Date.now() - began))
      }, 500); ${staying}`
    await site.supervisor.ensure(site.spec('held', program, { limits: { cpuMillis: 300 } }), site.call)
    // A third of a core needs three times as long, whatever else this machine is doing.
    expect(Number((await site.line('held', /took/)).split(' ')[1])).toBeGreaterThan(600)
    const [usage] = await site.supervisor.usage(['held'], site.call)
    expect(usage?.cpuLimitMillis).toBe(300)
  })

  it('that cannot be put in force is told with the process, and by the supervisor', async () => {
    site = new Site({ trackBy: 'marker' })
    expect(await site.supervisor.info(site.call)).toMatchObject({ tracking: 'marker', enforces: [] })
    const limits = { cpuMillis: 100, pids: 100 }
    const seen = await site.supervisor.ensure(site.spec('free', staying, { limits }), site.call)
    expect(seen.notEnforced).toEqual(['cpuMillis', 'pids'])
  })
})
