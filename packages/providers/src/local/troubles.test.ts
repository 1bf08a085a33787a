/** Nothing lies: what is wrong is said in a sentence with its time, and is over by itself when its cause is gone. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Kit, SpecInput } from '../contract/kit.ts'
import type { Desired } from '../desired.ts'
import type { Observed } from '../observed.ts'
import { onLocal } from '../testing/on-local.ts'
import { isErrno } from './errno.ts'

/** Passes until it is said what is wrong. */
async function stalled(kit: Kit, wanted: Desired): Promise<NonNullable<Observed['stalled']>> {
  return await kit.eventually('it is said what is wrong', async () => {
    await kit.harness.engine.converge(wanted, kit.call)
    return (await kit.harness.engine.look(kit.ref(), kit.call))?.stalled
  })
}

async function recovers(kit: Kit, wanted: Desired): Promise<void> {
  await kit.eventually(
    'it recovers',
    async () => (await kit.harness.engine.converge(wanted, kit.call)).state === 'done',
  )
  expect((await kit.harness.engine.look(kit.ref(), kit.call))?.stalled).toBeUndefined()
}

const desired = (kit: Kit, input: SpecInput) => kit.desired({ stopGraceSeconds: 1, ...input })
const script = '#!/bin/sh\nexec sleep 1000\n'

describe('the local engine in trouble', { timeout: 90_000 }, () => {
  it('says that a program is missing, and starts it when it appears', async () => {
    const { kit, harness } = await onLocal()
    const program = join(harness.workingDir, 'program')
    const wanted = desired(kit, { services: [{ name: 'web', command: [program] }] })
    const stall = await stalled(kit, wanted)
    expect(stall).toMatchObject({ reason: 'rollout_stalled', service: 'web', replica: 0 })
    expect(stall.message).toContain(program)
    writeFileSync(program, script, { mode: 0o755 })
    chmodSync(program, 0o755)
    await recovers(kit, wanted)
  })

  it('says that a program must not be run, and runs it when it may be', async () => {
    const { kit, harness } = await onLocal()
    const program = join(harness.workingDir, 'program')
    writeFileSync(program, script, { mode: 0o644 })
    const wanted = desired(kit, { services: [{ name: 'web', command: [program] }] })
    expect((await stalled(kit, wanted)).message).toContain(program)
    chmodSync(program, 0o755)
    await recovers(kit, wanted)
  })

  it('says that a port of the machine is taken, and takes it when it is free', async () => {
    const { kit, harness } = await onLocal()
    const hostPort = await harness.freePort()
    const holder = createServer().listen(hostPort, '127.0.0.1')
    const web = kit.service({ listens: 'http' }, { ports: [{ name: 'http', port: 80, hostPort }] })
    const wanted = desired(kit, { services: [web] })
    const first = await stalled(kit, wanted)
    expect(first.message).toContain(`port ${hostPort}`)
    expect((await stalled(kit, wanted)).at).toEqual(first.at)
    expect(await kit.processes()).toEqual([])
    await new Promise((resolve) => holder.close(resolve))
    await recovers(kit, wanted)
  })

  it('says how a service that keeps crashing ended and what it said last, without its secrets', async () => {
    const { kit, harness } = await onLocal()
    harness.secrets.put('database', { url: 'postgres://me:hush@db' })
    const web = kit.service(
      { prints: [{ stream: 'stderr', line: 'cannot open postgres://me:hush@db' }], exits: { code: 3, afterMs: 30 } },
      { secrets: [{ name: 'database', key: 'url', env: 'DATABASE_URL' }] },
    )
    const spec = kit.spec({ services: [web], strategy: { minReadySeconds: 5, progressDeadlineSeconds: 30 } })
    const fault = await kit.refused(kit.provider.provision({ ref: kit.ref(), spec }, kit.call), 'rollout_stalled')
    expect(fault.message).toContain('web keeps crashing: exited with code 3: cannot open ***')
    expect(JSON.stringify(await harness.engine.look(kit.ref(), kit.call))).not.toContain('hush')
  })

  it('says that a health check never passed and what came of it, and is well when it does', async () => {
    const { kit } = await onLocal()
    const healthCheck = { http: { port: 'http' }, startSeconds: 1, intervalSeconds: 1 }
    const ports = [{ name: 'http', port: 80 }]
    const web = kit.service({ listens: 'http', healthyAfterMs: 3000 }, { ports, healthCheck })
    const wanted = desired(kit, { services: [web] })
    const stall = await stalled(kit, wanted)
    expect(stall.message).toMatch(/^web has not passed its health check within 1 s: GET \/ on port \d+/)
    await recovers(kit, wanted)
  })

  it('says that the disk is full, since when, and goes on when there is room', async ({ skip }) => {
    const { kit, harness } = await onLocal()
    const runDir = join(harness.base, 'small')
    mkdirSync(runDir)
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k,mode=755', 'tmpfs', runDir])
    if (mounted.status !== 0) return skip('a small disk cannot be mounted here')
    try {
      const engine = await harness.reopen({ runDir })
      const filler = join(runDir, 'filler')
      fill(filler)
      const configFiles = [{ name: 'app', path: '/app', content: 'x'.repeat(20_000) }]
      const wanted = desired(kit, { services: [kit.service({}, { configFiles })] })
      const look = async () => {
        await engine.converge(wanted, kit.call)
        return (await engine.look(kit.ref(), kit.call))?.stalled
      }
      const first = await look()
      expect(first).toMatchObject({
        reason: 'rollout_stalled',
        replica: 0,
        message: expect.stringMatching(/the disk is full: \S+app cannot/),
      })
      expect(await look()).toEqual(first)
      rmSync(filler)
      await kit.eventually('it recovers', async () => (await engine.converge(wanted, kit.call)).state === 'done')
      expect((await engine.look(kit.ref(), kit.call))?.stalled).toBeUndefined()
      await kit.eventually('it is gone', async () => {
        return (await engine.remove(kit.ref(), { retained: 'keep' }, kit.call)).state === 'done'
      })
    } finally {
      spawnSync('umount', [runDir])
    }
  })

  it('says that a folder of the machine is not there, and goes on when it is', async () => {
    const { kit, harness } = await onLocal()
    const volumes = [{ name: 'h', path: '/h', type: 'host' as const, source: join(harness.workingDir, 'later') }]
    const wanted = desired(kit, { services: [kit.service({}, { volumes })] })
    expect((await stalled(kit, wanted)).message).toContain(join(harness.workingDir, 'later'))
    mkdirSync(join(harness.workingDir, 'later'))
    await recovers(kit, wanted)
  })
})

describe('the files of a local replica', { timeout: 60_000 }, () => {
  it('hold secrets only in memory, and for nobody but their service', async ({ skip }) => {
    const { kit, harness } = await onLocal()
    if (!(await harness.supervisor.info(kit.call)).memoryDir) return skip('this machine has no storage in memory')
    harness.secrets.put('tls', { key: 'a key nobody sees' })
    const secrets = [{ name: 'tls', key: 'key', file: '/run/secrets/key' }]
    await kit.provision({ services: [kit.service({}, { secrets })] })
    expect(await kit.read('/run/secrets/key')).toBe('a key nobody sees')
    expect((await kit.run({ do: 'mode', path: '/run/secrets/key' })).stdout.trim()).toBe('400')
    expect(filesWith(harness.base, 'a key nobody sees')).toEqual([])
    await kit.gone()
    expect(harness.filesLeft()).toEqual([])
  })

  it('are made in no folder that others can write to', async () => {
    const { harness } = await onLocal()
    const runDir = join(harness.base, 'open')
    mkdirSync(runDir)
    chmodSync(runDir, 0o777)
    await expect(harness.reopen({ runDir })).rejects.toMatchObject({ reason: 'engine_refused' })
  })

  it('belong to a user of the tenant’s own where we are root', async ({ skip }) => {
    const { kit, harness } = await onLocal()
    if (process.getuid?.() !== 0) return skip('only root can run processes as other users')
    const volumes = [{ name: 'data', path: '/data' }]
    await kit.provision({ services: [kit.service({}, { volumes })] })
    const [uid = ''] = (await kit.run({ do: 'who' })).stdout.trim().split(':')
    expect(Number(uid)).toBeGreaterThan(200_000)
    await kit.write('/data/mine', 'mine')
    const folder = (await kit.env('GANTRY_VOLUME_DATA')) ?? ''
    expect([statSync(folder).uid, statSync(folder).mode & 0o777, statSync(join(folder, 'mine')).uid]).toEqual([
      Number(uid),
      0o700,
      Number(uid),
    ])
    expect(statSync(harness.dataDir).mode & 0o777).toBe(0o700)
  })
})

function fill(path: string): void {
  try {
    writeFileSync(path, Buffer.alloc(1 << 20))
  } catch (error) {
    if (!isErrno(error, 'ENOSPC')) throw error
  }
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text))
}
