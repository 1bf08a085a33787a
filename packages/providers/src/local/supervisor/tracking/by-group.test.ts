import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { byGroup } from './by-group.ts'
import type { Tracking } from './tracking.ts'

/** Plain folders: who writes where can be seen in them, and nobody is moved. */
describe('entering a group', () => {
  let folder: string
  let tracking: Tracking
  const own = String(process.pid)
  const read = (...place: string[]) => readFile(join(folder, ...place, 'cgroup.procs'), 'utf8').catch(() => '')

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-by-group-'))
    await mkdir(join(folder, 'home'))
    tracking = byGroup({ kind: 'cgroup2', base: join(folder, 'base'), home: join(folder, 'home') })
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is for the moment in which something is started, and we are home again after it', async () => {
    const group = tracking.open('one.1', 'mark')
    const before = await read('home')
    expect(tracking.enter(group, () => 'started')).toBe('started')
    expect([before, await read('base', 'one.1'), await read('home')]).toEqual(['', own, own])
  })

  it('can be prepared, which moves us to where we are', async () => {
    tracking.prepare()
    tracking.prepare()
    await tracking.settled()
    expect(await read('home')).toBe(own)
    expect(tracking.enter(tracking.open('one.1', 'mark'), () => 'started')).toBe('started')
  })

  it('is refused while it is being prepared, since we would be home before the process is born', async () => {
    const group = tracking.open('one.1', 'mark')
    tracking.prepare()
    expect(() => tracking.enter(group, () => 'started')).toThrow(TypeError)
    expect(await read('base', 'one.1')).toBe('')
    await tracking.settled()
    expect(tracking.enter(group, () => 'started')).toBe('started')
  })

  it('tells itself why it cannot be, where preparing it could not', async () => {
    const group = tracking.open('one.1', 'mark')
    await rm(join(folder, 'home'), { recursive: true })
    tracking.prepare()
    await tracking.settled()
    expect(() => tracking.enter(group, () => 'started')).toThrow('ENOENT')
  })
})
