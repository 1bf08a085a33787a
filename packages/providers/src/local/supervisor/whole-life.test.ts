/** The supervisor itself: one per folder, found or started, ended when asked or when nobody needs it. */
import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Fault } from '@gantry/core'
import { afterEach, describe, expect, it } from 'vitest'
import { isAlive } from '../../proc/processes.ts'
import { connectSupervisor } from './client/connect.ts'
import { foldersOf } from './folders.ts'
import { lockHolder } from './process-lock.ts'
import { slow, staying } from './testing/programs.ts'
import { identityOf, Site } from './testing/site.ts'

describe('a supervisor', () => {
  let site: Site
  afterEach(() => site.close())

  it('is one, however many start it at once', async () => {
    site = new Site()
    const infos = await Promise.all(Array.from({ length: 6 }, () => site.connect().info(site.call)))
    expect(new Set(infos.map(({ pid }) => pid)).size).toBe(1)
    expect(infos[0]?.pid).toBe(site.holder().pid)
    expect(statSync(foldersOf(site.dataDir).socket).mode & 0o777).toBe(0o600)
  })

  it('is not started by who only looks', async () => {
    site = new Site()
    const looking = connectSupervisor(site.dataDir, { start: false })
    await expect(looking.info(site.call)).rejects.toMatchObject({
      reason: 'engine_unreachable',
      kind: 'unavailable',
    })
  })

  it('answers also where the path of its socket is longer than an address can be', async () => {
    site = new Site({}, join('a-long-name'.repeat(8), 'another-long-name'.repeat(4)))
    expect(foldersOf(site.dataDir).socket.length).toBeGreaterThan(107)
    await site.supervisor.ensure(site.spec('far', staying), site.call)
    expect(await site.connect().look('far', site.call)).toMatchObject({ phase: 'running' })
    await site.killSupervisor()
    expect(await site.connect().look('far', site.call)).toMatchObject({ phase: 'running' })
  })

  it('ends by itself when there is nothing to look after and nobody is there, and not before', async () => {
    site = new Site({ idleMs: 300 })
    await site.supervisor.ensure(site.spec('one', staying), site.call)
    const first = site.holder()
    await site.line('one', /up/)
    expect(isAlive(first)).toBe(true)
    await site.supervisor.stop('one', { graceMs: 0 }, site.call)
    await site.until('its end', () => !isAlive(first))
    expect(await site.supervisor.look('one', site.call)).toMatchObject({ phase: 'stopped' })
  })

  it('told to stop all ends every process, those of the system last, and they stay stopped', async () => {
    site = new Site()
    const system = await site.supervisor.ensure(site.spec('edge', staying, { role: 'system' }), site.call)
    const program = `process.on('SIGTERM', () => { process.kill(${system.pid}, 0); console.log('the edge is there'); process.exit(0) }); ${staying}`
    await site.supervisor.ensure(site.spec('app', program, { restart: { policy: 'always', maxPerHour: 9 } }), site.call)
    await site.line('app', /up/)
    const holder = site.holder()
    await site.supervisor.shutdown({ processes: 'stop' }, site.call)
    expect(isAlive(holder)).toBe(false)
    expect(await site.lines('app')).toContain('stdout: the edge is there')
    expect((await site.supervisor.list({}, site.call)).map(({ phase }) => phase)).toEqual(['stopped', 'stopped'])
  })

  it('told to keep them leaves them running, and the next one adopts them', async () => {
    site = new Site()
    const before = await site.supervisor.ensure(site.spec('kept', slow(10)), site.call)
    await site.line('kept', /up/)
    await site.supervisor.shutdown({ processes: 'keep' }, site.call)
    expect(lockHolder(foldersOf(site.dataDir).lock)).toBeUndefined()
    expect(isAlive(identityOf(before.pid ?? 0))).toBe(true)
    expect(await site.supervisor.look('kept', site.call)).toEqual(before)
  })

  it('tells watchers that it is lost, and whoever watches again gets a snapshot', async () => {
    site = new Site()
    await site.supervisor.ensure(site.spec('w', staying), site.call)
    const first = site.supervisor.watch(site.call)[Symbol.asyncIterator]()
    expect((await first.next()).value).toMatchObject({ type: 'snapshot' })
    await site.killSupervisor()
    await expect(first.next()).rejects.toMatchObject({ reason: 'engine_unreachable' })
    const second = site.supervisor.watch(site.call)[Symbol.asyncIterator]()
    expect((await second.next()).value).toMatchObject({ type: 'snapshot', processes: [{ id: 'w', phase: 'running' }] })
    await second.return?.()
  })

  it('refuses a client of another version, but lets itself be replaced by one', async () => {
    site = new Site()
    await site.supervisor.info(site.call)
    const said = await talk({ gantry: 999, ask: { method: 'info' } })
    expect(said.at(-1)).toMatchObject({ fault: { reason: 'engine_refused' } })
    expect((await talk('no JSON')).at(-1)).toMatchObject({ fault: { reason: 'bad_request' } })
    const holder = site.holder()
    expect((await talk({ gantry: 999, ask: { method: 'shutdown', processes: 'keep' } })).at(-1)).toEqual({ ok: null })
    await site.until('its end', () => !isAlive(holder))

    function talk(hello: unknown): Promise<unknown[]> {
      return new Promise((resolve, reject) => {
        let text = ''
        const socket = connect(foldersOf(site.dataDir).socket)
        socket.on('data', (bytes) => {
          text += bytes.toString()
        })
        socket.on('error', reject)
        socket.on('close', () =>
          resolve(
            text
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as unknown),
          ),
        )
        socket.write(`${typeof hello === 'string' ? hello : JSON.stringify(hello)}\n`)
      })
    }
  })

  it('says in its log what it looks after and how', async () => {
    site = new Site()
    const { pid, tracking } = await site.supervisor.info(site.call)
    const said = readFileSync(foldersOf(site.dataDir).log, 'utf8')
    expect(said).toContain(`Looks after ${site.dataDir} as process ${pid}, by ${tracking}`)
  })

  it('leaves the caller at once, with the reason for leaving', async () => {
    site = new Site()
    const reason = new Fault('aborted', 'enough')
    await expect(site.supervisor.info({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await site.supervisor.info(site.call)
    const leave = new AbortController()
    const asking = site.supervisor.info({ signal: leave.signal })
    leave.abort(reason)
    await expect(asking).rejects.toBe(reason)
  })
})
