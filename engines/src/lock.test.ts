import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@gantry/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lock, lockHolder, tryLock } from './lock.ts'
import { identify } from './process-identity.ts'

const contender = fileURLToPath(new URL('../dist/testing/lock-contender.js', import.meta.url))
const clock = systemClock

describe('a lock between processes', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gantry-lock-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('is held by one, who can be asked for, and free again after its release', () => {
    const path = join(folder, 'lock')
    const held = tryLock(path)
    expect(tryLock(path)).toBeUndefined()
    expect(lockHolder(path)).toEqual(identify(process.pid))
    held?.release()
    expect(lockHolder(path)).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is taken from a holder that is dead, also when another process has its number now', () => {
    const path = join(folder, 'lock')
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'at another time', token: 'old' }))
    const held = tryLock(path)
    expect(held).toBeDefined()
    held?.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is taken even if whoever was breaking it died over that', () => {
    const path = join(folder, 'lock')
    writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'long ago', token: 'old' }))
    writeFileSync(`${path}.old`, JSON.stringify({ pid: process.pid, started: 'later', token: 'breaker' }))
    expect(tryLock(path)).toBeDefined()
  })

  it('gives up waiting with the reason it was given', async () => {
    const path = join(folder, 'lock')
    tryLock(path)
    const reason = new Error('enough')
    await expect(lock(path, { clock, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it('never has two holders at once, with processes killed while they hold it', async () => {
    const path = join(folder, 'lock')
    const journal = join(folder, 'journal')
    writeFileSync(journal, '')
    const contenders = Array.from({ length: 6 }, (_, index) =>
      spawn(process.execPath, [contender, path, journal, String(index), '20'], { stdio: 'inherit' }),
    )
    await Promise.all(contenders.map((child) => once(child, 'exit')))
    const entries = readFileSync(journal, 'utf8').trim().split('\n')
    // Each holder wrote `in` and, unless it killed itself holding the lock, `out`: an `in` directly after another
    // one's `in` is legal only after such a death.
    let inside: string | undefined
    for (const entry of entries) {
      const [who, what] = entry.split(' ')
      if (what === 'in') expect(inside, `${who} came in while ${inside} was inside`).toBeUndefined()
      inside = what === 'in' ? who : undefined
    }
    expect(entries.filter((entry) => entry.endsWith('dies')).length).toBeGreaterThan(0)
    expect(entries.filter((entry) => entry.endsWith('out')).length).toBeGreaterThan(20)
    expect(lockHolder(path)).toBeUndefined()
  })
})
