/** What becomes of a supervisor that nobody can find any more, and of what it leaves in memory when it ends in order. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { isAlive } from '../../proc/processes.ts'
import { memoryDir, passableMemoryDir } from './memory-dir.ts'
import { escaping, slow } from './testing/programs.ts'
import { identityOf, Site } from './testing/site.ts'

let site: Site | undefined
afterEach(async () => {
  await site?.close()
  site = undefined
})

it('stops what runs with its grace, wipes what it had in memory, and ends when its folder was deleted', async () => {
  site = new Site({}, 'data')
  const { supervisor, call, dataDir } = site
  const first = await supervisor.ensure(site.spec('slow', slow(300)), call)
  const second = await supervisor.ensure(site.spec('tree', escaping('kept')), call)
  const grandchild = Number((await site.line('tree', /escaped \d+/)).replace(/\D+/g, ''))
  const all = [first.pid ?? 0, second.pid ?? 0, grandchild].map(identityOf)
  const holder = site.holder()
  const memory = memoryDir(dataDir)
  rmSync(dataDir, { recursive: true })
  await site.until('all of it to be gone', () => ![...all, holder].some(isAlive))
  if (memory !== undefined) expect([memory, passableMemoryDir(memory)].filter(existsSync)).toEqual([])
})

it('leaves nothing in memory when it ends and nothing is kept there', async ({ skip }) => {
  site = new Site({}, 'data')
  const { supervisor, call } = site
  const { memoryDir: memory } = await supervisor.info(call)
  if (memory === undefined) return skip('this machine has no storage in memory')
  mkdirSync(passableMemoryDir(memory))
  await supervisor.shutdown({ processes: 'stop' }, call)
  expect([memory, passableMemoryDir(memory)].filter(existsSync)).toEqual([])
})
