import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, isFault, systemClock } from '@gantry/core'
import { afterAll, describe, expect, it } from 'vitest'
import type { Command } from '../command.ts'
import { ObjectStore } from '../object-store.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'
import { call, create, freshTenant, names, system } from '../testing/contract/subject.ts'
import { sqliteSubject } from '../testing/sqlite-subject.ts'
import { openSqlite } from './database.ts'

const text = 'x'.repeat(2000)

/** Writes until there is no more room; gives what was acknowledged, and the fault. */
async function fill(store: Store, key: (name: string) => ReturnType<ReturnType<typeof freshTenant>['key']>) {
  const acknowledged: string[] = []
  for (let round = 0; round < 5000; round += 1) {
    const tries = Array.from({ length: 4 }, async (_, n) => {
      const name = `n-${round}-${n}`
      // One stays, the other is replaced again and again: old changes of it are what can be given up later.
      const churn: Command = { op: 'replace', draft: { key: key('churn'), spec: { name, text } }, ifAbsent: 'create' }
      await store.write(system, [create(key(name), { spec: { text } }), churn], {}, call)
      acknowledged.push(name)
    })
    const failure = (await Promise.allSettled(tries)).find((one) => one.status === 'rejected')
    if (failure) return { acknowledged, fault: failure.reason as Fault }
  }
  throw new Error('the disk never filled up')
}

async function expectIntact(store: Store, tenant: string, acknowledged: readonly string[]): Promise<void> {
  const { items } = await store.list(system, { kind: 'Thing', tenant, limit: 5000 }, call)
  expect(names(items).sort()).toEqual([...acknowledged, 'churn'].sort())
  expect(await store.verifyAudit(system, call)).toMatchObject({ intact: true })
}

describe('a file that cannot grow', () => {
  it('refuses writes as full, keeps what it has, and goes on once there is room', async () => {
    const subject = await sqliteSubject()
    const { tenant, key } = freshTenant()
    const options = { file: subject.file, clock: systemClock, ids: randomUUID, ageFields: () => new Set<string>() }
    const store = new ObjectStore(await openSqlite({ ...options, maxPages: 150 }), systemClock)
    const { acknowledged, fault } = await fill(store, key)
    expect(isFault(fault, 'unavailable') && fault.reason).toBe('store_full')
    expect(acknowledged.length).toBeGreaterThan(10)
    await expectIntact(store, tenant, acknowledged)
    await store.compact(system, { keepChanges: 0 }, call)
    await store.write(system, [create(key('after'), { spec: { text } })], {}, call)
    await expectIntact(store, tenant, [...acknowledged, 'after'])
    await store.close()
    const again = await subject.open()
    await expectIntact(again, tenant, [...acknowledged, 'after'])
    await again.close()
    await subject.dispose()
  })
})

/** A small disk of its own, which takes root. */
function smallDisk(): { readonly folder: string; readonly why?: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-disk-'))
  if (process.getuid?.() !== 0) return { folder, why: 'mounting a small disk takes root' }
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder], { stdio: 'ignore' })
    return { folder }
  } catch {
    return { folder, why: 'this machine does not let root mount' }
  }
}

describe('a disk that is full', () => {
  const disk = smallDisk()
  afterAll(() => {
    if (disk.why === undefined) execFileSync('umount', ['--lazy', disk.folder])
    rmSync(disk.folder, { recursive: true, force: true })
  })

  it('refuses writes as full, and goes on once there is room', async ({ skip }) => {
    if (disk.why !== undefined) return skip(disk.why)
    const database = `sqlite:${join(disk.folder, 'store.sqlite')}`
    const ballast = join(disk.folder, 'ballast')
    const { tenant, key } = freshTenant()
    await writeFile(ballast, Buffer.alloc(4_000_000))
    const store = await openStore({ database }, call)
    const { acknowledged, fault } = await fill(store, key)
    expect(fault.reason).toBe('store_full')
    await expectIntact(store, tenant, acknowledged)
    rmSync(ballast)
    await store.write(system, [create(key('after'), { spec: { text } })], {}, call)
    await store.close()
    const again = await openStore({ database }, call)
    await expectIntact(again, tenant, [...acknowledged, 'after'])
    await again.close()
  })
})
