/** Values of secret variables: given to the process, kept for its restarts, and on no disk. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '@gantry/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sendSignal } from '../../proc/processes.ts'
import { staying } from './testing/programs.ts'
import { identityOf, Site } from './testing/site.ts'

const value = 'planted-4711-value'
const showing = `console.log('has ' + (process.env.TOKEN === '${value.split('').reverse().join('')}'.split('').reverse().join(''))); ${staying}`
const restart = { policy: 'always', maxPerHour: 9, backoff: { firstMs: 1, longestMs: 1, stableMs: 60_000 } } as const

describe('a secret variable', () => {
  let site: Site
  beforeEach(() => {
    site = new Site()
  })
  afterEach(() => site.close())
  const spec = (secret = value) => site.spec('s', showing, { secretEnv: { TOKEN: new Secret(secret) }, restart })

  it('reaches the process, also when a later supervisor starts it again by itself, and is in no file on a disk', async ({
    skip,
  }) => {
    const { memoryDir } = await site.supervisor.info(site.call)
    if (memoryDir === undefined) return skip('this machine has no storage in memory')
    const { pid } = await site.supervisor.ensure(spec(), site.call)
    await site.line('s', /has true/)
    await site.killSupervisor()
    sendSignal(identityOf(pid ?? 0), 'SIGKILL')
    await site.seen('s', ({ run, phase }) => run === 2 && phase === 'running', 'started again')
    await site.until(
      'both runs have it',
      async () => (await site.lines('s')).filter((line) => line.includes('has true')).length === 2,
    )
    expect(filesWith(site.dataDir, value)).toEqual([])
    const kept = filesWith(memoryDir, value)
    expect(kept.length).toBe(1)
    expect(statSync(kept[0] ?? '').mode & 0o777).toBe(0o600)
    await site.supervisor.stop('s', { graceMs: 0 }, site.call)
    await site.seen('s', ({ phase }) => phase === 'stopped', 'stopped')
    await site.supervisor.remove('s', site.call)
    expect(filesWith(memoryDir, value)).toEqual([])
  })

  it('that was lost is waited for, and the process runs once it is given again', async () => {
    await site.supervisor.ensure(spec(), site.call)
    const { memoryDir } = await site.supervisor.info(site.call)
    await site.killSupervisor()
    if (memoryDir !== undefined) rmSync(join(memoryDir, 'env'), { recursive: true })
    const running = await site.supervisor.look('s', site.call)
    expect(running).toMatchObject({ phase: 'running', run: 1 })
    sendSignal(identityOf(running?.pid ?? 0), 'SIGKILL')
    const waiting = await site.seen('s', ({ problem }) => problem?.reason === 'secrets_missing', 'waiting for them')
    expect(waiting).toMatchObject({ phase: 'waiting', run: 1 })
    expect(await site.supervisor.ensure(spec(), site.call)).toMatchObject({ phase: 'running', run: 2 })
  })

  it('with another value is another process', async () => {
    await site.supervisor.ensure(spec(), site.call)
    await expect(site.supervisor.ensure(spec('other'), site.call)).rejects.toMatchObject({ reason: 'already_exists' })
    expect(await site.supervisor.ensure(spec(), site.call)).toMatchObject({ run: 1 })
  })
})

function filesWith(folder: string, planted: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter((file) => readFileSync(file).includes(planted))
}
