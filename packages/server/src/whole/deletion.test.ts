/** What a workload leaves behind when it goes, and what is said of it. On real processes. */
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFault } from '@gantry/core'
import { reachable } from '@gantry/providers/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processesOf } from './testing/leftovers.ts'
import { moody, oneService } from './testing/moody-program.ts'
import { settled } from './testing/settled.ts'
import { type System, startSystem } from './testing/system.ts'
import { until } from './testing/until.ts'

let system: System

beforeAll(async () => {
  system = await startSystem()
  await system.start()
})
afterAll(async () => {
  expect(await system.dispose()).toEqual([])
})

const tenant = () => system.client.tenant('default')

/** With a volume that is retained. */
async function put(name: string): Promise<string> {
  const volumes = [{ name: 'data', path: '/data', type: 'persistent', retain: true }]
  const { command, env } = moody('')
  const more = { type: 'stateful_set', strategy: { type: 'recreate' }, stopGraceSeconds: 1 }
  await tenant().workloads.put(oneService(name, { command: [...command, `mark-of-${name}`], env, volumes }, { more }))
  const { workload } = await settled(system.client, name)
  return workload.metadata.uid
}

/** And a file of this name in it. */
async function begin(name: string): Promise<string> {
  const uid = await put(name)
  expect(await inside(name, (file) => `require('fs').writeFileSync(${file}, '')`)).toBe(0)
  expect(await hasFile(name)).toBe(true)
  return uid
}

const finds = async (name: string): Promise<boolean> =>
  (await inside(name, (file) => `process.exit(require('fs').existsSync(${file}) ? 0 : 7)`)) === 0

/** What a script that knows its file ends with, run as the workload would run it. */
async function inside(name: string, script: (file: string) => string): Promise<number | undefined> {
  const file = `process.env.GANTRY_ROOT + '/data/kept-of-${name}'`
  const running = await tenant().workloads.exec(name, [reachable(process.execPath), '-e', script(file)])
  const exit = await running.exit
  return 'exitCode' in exit ? exit.exitCode : undefined
}

const hasFile = (name: string): Promise<boolean> => holds(dirname(system.dataDir), `kept-of-${name}`)

/** Folder by folder, as others come and go meanwhile: `recursive` fails as a whole if one of them does. */
async function holds(folder: string, file: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(whereGone)
  for (const entry of entries) {
    if (entry.name === file) return true
    if (entry.isDirectory() && (await holds(join(folder, entry.name), file))) return true
  }
  return false
}

function whereGone(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return []
  throw error
}

async function gone(name: string): Promise<void> {
  await until(
    `${name} to be gone`,
    () =>
      tenant()
        .workloads.get(name)
        .catch((error: unknown) => error),
    (found) => isFault(found, 'not_found'),
  )
}

describe.concurrent('a workload that is deleted', () => {
  it('leaves its retained volumes to the next of its name, until one is told to take them along', async () => {
    const first = await begin('keeps')
    await tenant().workloads.delete('keeps')
    await gone('keeps')
    expect(await hasFile('keeps')).toBe(true)
    expect(await put('keeps')).not.toBe(first)
    expect(await finds('keeps')).toBe(true)
    await tenant().workloads.delete('keeps', { volumes: true })
    await gone('keeps')
    expect(await hasFile('keeps')).toBe(false)
    await put('keeps')
    expect(await finds('keeps')).toBe(false)
  })

  it('takes them along when it is told to, and that is in audit', async () => {
    await begin('clears')
    await tenant().workloads.delete('clears', { volumes: true })
    await gone('clears')
    expect(await hasFile('clears')).toBe(false)
    const entries = await tenant().audit({ order: 'newest' }).toArray()
    const entry = entries.find(({ action, target }) => action === 'workload.delete' && target?.name === 'clears')
    expect(entry?.detail).toMatchObject({ volumes: true })
  })

  it('that is abandoned is forgotten at once, its engine left alone, and both are told', async () => {
    const uid = await begin('left')
    const running = async () =>
      (await processesOf(system.dataDir)).filter((line) => line.includes('mark-of-left')).length
    const before = await running()
    const [replica] = (await tenant().workloads.replicas('left')).items
    await tenant().workloads.delete('left', { abandon: true, why: 'the machine burnt' })
    await gone('left')
    expect(await running()).toBe(before)
    expect(before).toBeGreaterThan(0)
    const entries = await tenant().audit({ order: 'newest' }).toArray()
    expect(entries.find(({ action }) => action === 'workload.abandon')).toMatchObject({
      actor: (await system.client.whoami()).name,
      detail: { uid, why: 'the machine burnt', left: expect.stringContaining(String(replica?.engineId)) },
    })
    const events = await system.client.providers.events('local').toArray()
    expect(events.find(({ reason }) => reason === 'Abandoned')?.message).toMatch(
      /^workload "left" .*left alone: slot a/,
    )
  })
})

describe('what cannot be asked of a deletion', () => {
  it('is to leave an engine alone and to remove its volumes, in one', async () => {
    await begin('both')
    await expect(tenant().workloads.delete('both', { volumes: true, abandon: true })).rejects.toMatchObject({
      reason: 'schema',
      issues: [{ path: 'volumes' }],
    })
    await tenant().workloads.delete('both')
    await gone('both')
  })
})
