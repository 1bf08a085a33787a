/** Restarts, and what keeps a process from being started. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ending } from './testing/programs.ts'
import { Site } from './testing/site.ts'

const backoff = { firstMs: 10, longestMs: 40, stableMs: 60_000 }

describe('a process that ends by itself', () => {
  let site: Site
  beforeEach(() => {
    site = new Site()
  })
  afterEach(() => site.close())

  it('is started again as often as it may, and then has failed with the reason', async () => {
    const restart = { policy: 'always', maxPerHour: 3, backoff } as const
    await site.supervisor.ensure(site.spec('loop', ending(0), { restart }), site.call)
    const failed = await site.seen('loop', ({ phase }) => phase === 'failed', 'failed')
    expect(failed).toMatchObject({
      run: 4,
      restarts: 3,
      lastExit: { code: 0 },
      problem: { reason: 'too_many_restarts' },
    })
    expect(await site.supervisor.start('loop', site.call)).toMatchObject({ run: 5 })
    expect((await site.seen('loop', ({ phase }) => phase === 'failed', 'failed again')).restarts).toBe(6)
  })

  it('is started again on failure only, where that is asked for', async () => {
    const restart = { policy: 'on_failure', maxPerHour: 1, backoff } as const
    await site.supervisor.ensure(site.spec('good', ending(0), { restart }), site.call)
    await site.supervisor.ensure(site.spec('bad', ending(1), { restart }), site.call)
    expect(await site.seen('good', ({ phase }) => phase === 'ended', 'ended')).toMatchObject({ run: 1, restarts: 0 })
    expect(await site.seen('bad', ({ phase }) => phase === 'failed', 'failed')).toMatchObject({ run: 2, restarts: 1 })
  })

  it('tells when it is started next while it waits for that', async () => {
    const restart = {
      policy: 'always',
      maxPerHour: 9,
      backoff: { ...backoff, firstMs: 3_600_000, longestMs: 3_600_000 },
    } as const
    await site.supervisor.ensure(site.spec('later', ending(3), { restart }), site.call)
    const waiting = await site.seen(
      'later',
      ({ phase, lastExit }) => phase === 'waiting' && lastExit !== undefined,
      'waiting',
    )
    const { nextStartAt, lastExit } = waiting
    expect((nextStartAt?.getTime() ?? 0) - (lastExit?.at.getTime() ?? 0)).toBe(3_600_000)
    expect(await site.supervisor.start('later', site.call)).toMatchObject({ run: 2, restarts: 0 })
  })

  it('that cannot be started says why, and is started once the cause is gone', async () => {
    const folder = join(site.dataDir, 'later')
    const program = join(folder, 'program')
    const restart = { policy: 'always', maxPerHour: 0, backoff } as const
    const spec = site.spec('missing', '', { argv: [program], cwd: folder, restart })
    expect(await site.supervisor.ensure(spec, site.call)).toMatchObject({ problem: { reason: 'folder_missing' } })
    mkdirSync(folder)
    const missing = await site.seen('missing', ({ problem }) => problem?.reason === 'program_missing', 'missing')
    expect(missing.problem?.message).toContain(program)
    expect(missing).toMatchObject({ restarts: 0 })
    expect(missing.lastExit).toBeUndefined()
    expect(missing.startedAt).toBeUndefined()
    writeFileSync(program, `#!${process.execPath}\nsetInterval(() => {}, 1000)`)
    chmodSync(program, 0o600)
    await site.seen('missing', ({ problem }) => problem?.reason === 'program_forbidden', 'forbidden')
    chmodSync(program, 0o755)
    const running = await site.seen('missing', ({ phase }) => phase === 'running', 'running')
    expect(running.problem).toBeUndefined()
    rmSync(folder, { recursive: true })
  })

  it('that cannot be started and is not to be restarted has failed', async () => {
    const spec = site.spec('never', '', { argv: ['no-such-program-anywhere'] })
    expect(await site.supervisor.ensure(spec, site.call)).toMatchObject({
      phase: 'failed',
      problem: { reason: 'program_missing' },
    })
  })

  it('is refused with all that is wrong with it, before anything is touched', async () => {
    const spec = site.spec('..', '', { argv: [], cwd: 'here', env: { 'A=B': '' } })
    await expect(site.supervisor.ensure(spec, site.call)).rejects.toMatchObject({
      kind: 'invalid',
      issues: [{ path: 'id' }, { path: 'argv' }, { path: 'cwd' }, { path: 'env.A=B' }],
    })
    expect(await site.supervisor.list({}, site.call)).toEqual([])
  })
})
