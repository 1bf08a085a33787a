/** Kills a writing process again and again, and holds what is left to what was acknowledged. */
import { expect } from 'vitest'
import type { ListQuery, Store } from '../store.ts'
import { call, names, type StoreSubject, system } from './contract/subject.ts'
import { spawnProcess } from './spawn-process.ts'

/** Lets it write for a random while after its first answer, kills it, and gives what it had said by then. */
async function killOnce(database: string, prefix: string): Promise<string[]> {
  const writer = spawnProcess('writer', database, prefix)
  const said: string[] = []
  let isDoomed = false
  for await (const line of writer.lines) {
    said.push(line)
    if (!isDoomed) setTimeout(writer.kill, Math.random() * 40)
    isDoomed = true
  }
  await writer.ended
  return said
}

export async function surviveKills(subject: StoreSubject, database: string, kills: number): Promise<void> {
  let acknowledged = 0
  for (let n = 0; n < kills; n += 1) {
    const prefix = `kill-${n}`
    const said = await killOnce(database, prefix)
    expect(said.length).toBeGreaterThan(0)
    acknowledged += said.length
    const store = await subject.open()
    await checkRound(store, prefix, said)
    await store.close()
  }
  const store = await subject.open()
  await checkWhole(store, acknowledged)
  await store.close()
}

/** Every acknowledged pair is there, and no half of any. */
async function checkRound(store: Store, prefix: string, said: readonly string[]): Promise<void> {
  const labelSelector = `round=${prefix}`
  const left = await allNames(store, { kind: 'left', labelSelector })
  expect(left).toEqual(await allNames(store, { kind: 'right', labelSelector }))
  const written = new Set(left)
  expect(said.filter((name) => !written.has(name))).toEqual([])
}

/** Counters, audit and changes tell the same story as the objects. */
async function checkWhole(store: Store, acknowledged: number): Promise<void> {
  const pairs = (await allNames(store, { kind: 'left' })).length
  expect(pairs).toBeGreaterThanOrEqual(acknowledged)
  expect(await store.usage(system, 'crash', call)).toEqual({ objects: BigInt(2 * pairs) })
  expect(await store.verifyAudit(system, call)).toMatchObject({ intact: true, entries: pairs })
  let version = 0
  for await (const change of store.changes(system, { since: 0 }, call)) {
    if (change.type === 'bookmark') break
    expect(change.resourceVersion).toBe(version + 1)
    version = change.resourceVersion
  }
  expect(version).toBe(2 * pairs)
}

async function allNames(store: Store, query: Omit<ListQuery, 'limit'>): Promise<string[]> {
  const all: string[] = []
  let next: string | undefined
  do {
    const from = next === undefined ? {} : { continue: next }
    const page = await store.list(system, { ...query, ...from, limit: 5000 }, call)
    all.push(...names(page.items))
    next = page.continue
  } while (next !== undefined)
  return all
}
