import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJournal } from './journal.ts'
import { takeLock } from './process-lock.ts'
import type { PublicSpec } from './process-state.ts'

const spec = (id: string): PublicSpec => ({
  id,
  labels: {},
  role: 'workload',
  argv: ['x'],
  cwd: '/',
  env: {},
  restart: { policy: 'never', maxPerHour: 1 },
  stopGraceMs: 1,
  secretNames: [],
})

describe('the journal', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-journal-'))
    path = join(folder, 'journal')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('knows what was written when it is opened again, and nothing of what was removed', async () => {
    const first = openJournal(path)
    for (const id of ['a', 'b', 'c']) first.write({ type: 'known', spec: spec(id) })
    first.write({ type: 'wanted', id: 'b', wanted: 'stopped' })
    first.write({ type: 'removed', id: 'a' })
    await first.settled()
    first.close()
    const second = openJournal(path)
    expect([...second.states.entries()].map(([id, { wanted }]) => [id, wanted])).toEqual([
      ['b', 'stopped'],
      ['c', 'running'],
    ])
    second.close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('leaves out half a line at its end', () => {
    const first = openJournal(path)
    first.write({ type: 'known', spec: spec('a') })
    first.close()
    appendFileSync(path, '{"type":"removed","id"')
    const second = openJournal(path)
    expect([...second.states.keys()]).toEqual(['a'])
    second.write({ type: 'known', spec: spec('b') })
    second.close()
    const third = openJournal(path)
    expect([...third.states.keys()]).toEqual(['a', 'b'])
    third.close()
  })

  it('does not grow with what has happened, only with what is', async () => {
    const journal = openJournal(path)
    journal.write({ type: 'known', spec: spec('a') })
    for (let round = 0; round < 50; round += 1) {
      for (let each = 0; each < 2000; each += 1) {
        journal.write({ type: 'wanted', id: 'a', wanted: each % 2 === 0 ? 'stopped' : 'running' })
      }
      await journal.settled()
    }
    expect(statSync(path).size).toBeLessThan(5 << 20)
    expect(journal.states.get('a')?.wanted).toBe('running')
    journal.close()
    openJournal(path).close()
    expect(readFileSync(path, 'utf8').trim().split('\n').length).toBe(1)
  })
})

describe('the lock on a folder', () => {
  it('is had by one, and had again once that is gone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gantry-lock-'))
    try {
      const path = join(folder, 'lock')
      const held = takeLock(path)
      expect(held).toBeDefined()
      expect(takeLock(path)).toBeUndefined()
      held?.release()
      // As a dead process has left it: a pid that lives, but not since then.
      appendFileSync(path, JSON.stringify({ pid: process.pid, started: 'another boot 1', token: 'dead' }))
      const again = takeLock(path)
      expect(again).toBeDefined()
      again?.release()
      appendFileSync(path, '{"pid":')
      const torn = takeLock(path)
      expect(torn).toBeDefined()
      torn?.release()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
