/** Without root, and as root on behalf of others. */
import { chownSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { isAlive } from '../../proc/processes.ts'
import { isReachable } from '../../testing/reachable.ts'
import { escaping, staying } from './testing/programs.ts'
import { identityOf, Site } from './testing/site.ts'

const nobody = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0

describe('users', () => {
  let site: Site | undefined
  afterEach(async () => {
    await site?.close()
    site = undefined
  })

  it('a supervisor without root does all of it: starts, tells, ends whole trees', async ({ skip }) => {
    if (!isRoot) skip('all other tests run without root here')
    const needed = [process.execPath, fileURLToPath(import.meta.url)]
    if (!needed.every((file) => isReachable(dirname(file))))
      skip('nobody else may enter the folder of Node or of this checkout')
    site = new Site({ user: nobody }, 'data')
    mkdirSync(site.dataDir)
    chownSync(site.dataDir, nobody.uid, nobody.gid)
    const info = await site.supervisor.info(site.call)
    expect(info.tracking).toBe('marker')
    expect(info.limits.join(' ')).toContain('not enforced')
    const seen = await site.supervisor.ensure(site.spec('n', escaping('kept'), { limits: { pids: 100 } }), site.call)
    expect(seen).toMatchObject({ phase: 'running', notEnforced: ['pids'] })
    const child = identityOf(Number((await site.line('n', /escaped/)).split(' ')[1]))
    await site.killSupervisor()
    expect(await site.supervisor.look('n', site.call)).toEqual(seen)
    await site.supervisor.stop('n', { graceMs: 50 }, site.call)
    await site.seen('n', ({ phase }) => phase === 'stopped', 'stopped')
    expect(isAlive(child)).toBe(false)
    const other = site.spec('root', staying, { user: { uid: 0, gid: 0 } })
    expect(await site.supervisor.ensure(other, site.call)).toMatchObject({
      phase: 'failed',
      problem: { reason: 'program_forbidden' },
    })
  })

  it('a process runs as the user it is given, in no group of ours, and can open its own output', async ({ skip }) => {
    if (!isRoot) skip('only root can run processes of others')
    site = new Site()
    const program = `
      console.log([process.getuid(), process.getgid(), process.getgroups().filter((each) => each !== process.getgid()).length].join(' '))
      require('node:fs').writeFileSync('/dev/stdout', 'opened\\n')`
    await site.supervisor.ensure(site.spec('u', program, { user: nobody, cwd: '/' }), site.call)
    await site.seen('u', ({ phase }) => phase === 'ended', 'ended')
    expect(await site.lines('u')).toEqual(['stdout: 65534 65534 0', 'stdout: opened'])
  })
})
