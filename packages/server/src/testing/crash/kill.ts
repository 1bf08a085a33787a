/** Kills the server while many write and others watch, and holds what is left to what was acknowledged. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@gantry/api'
import { isFault } from '@gantry/core'
import { expect } from 'vitest'
import { workloadOf } from '../plane.ts'
import { freePort, startServer } from './server-process.ts'

const writes = 1000
const writers = 32
const watchers = 3
const kills = 3

export async function surviveKills(database: (folder: string) => string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-kill-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const args = ['--bare', '--listen', `127.0.0.1:${port}`, '--data', data]
  const env = { GANTRY_DATABASE: database(folder), GANTRY_CONTEXTS: join(folder, 'contexts.json') }
  let server = await startServer(args, env)
  try {
    const token = (await readFile(join(data, 'admin.token'), 'utf8')).trim()
    const client = createClient({ server: `http://127.0.0.1:${port}`, token })
    const since = (await firstPage(client)).resourceVersion
    const stop = new AbortController()
    const watching = Array.from({ length: watchers }, () => watch(client, since, stop.signal))
    const acknowledged: string[] = []
    let next = 0
    let killed = 0
    const dying = async (): Promise<void> => {
      killed += 1
      await server.kill()
      server = await startServer(args, env)
    }
    let restarting: Promise<void> | undefined
    const writer = async (): Promise<void> => {
      while (next < writes) {
        const name = `w${next}`
        next += 1
        await restarting
        if (await put(client, name)) acknowledged.push(name)
        // In the midst of the others' writes, and so that the last round still has some.
        if (acknowledged.length >= ((killed + 1) * writes) / (kills + 2) && killed < kills) restarting = dying()
      }
    }
    await Promise.all(Array.from({ length: writers }, writer))
    await restarting
    expect(killed).toBe(kills)
    const there = (await client.tenant('default').workloads.list().toArray()).map(({ metadata }) => metadata.name)
    expect(acknowledged.filter((name) => !there.includes(name))).toEqual([])
    await client.tenant('default').workloads.put(workloadOf('last'))
    const [first = [], ...others] = await Promise.all(watching)
    // In order, so that none is a repeat; the same for all, so that a gap would have to be one that all of them have.
    expect(first).toEqual([...new Set(first.map(({ version }) => version))].sort(ascending).map(having(first)))
    for (const seen of others) expect(seen).toEqual(first)
    expect([...new Set(first.map(({ name }) => name))].toSorted()).toEqual([...there, 'last'].toSorted())
    expect(await client.audit.verify()).toMatchObject({ intact: true })
    stop.abort()
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

async function firstPage(client: Client) {
  for await (const page of client.tenant('default').workloads.list().pages()) return page
  throw new Error('a list has at least one page')
}

/** Whether it was acknowledged. What is not may have happened or not, and is not asked for again. */
async function put(client: Client, name: string): Promise<boolean> {
  try {
    await client.tenant('default').workloads.put(workloadOf(name))
    return true
  } catch (error) {
    if (isFault(error, 'unavailable')) return false
    throw error
  }
}

type Seen = { readonly version: number; readonly name: string }

const ascending = (left: number, right: number): number => left - right
const having =
  (all: readonly Seen[]) =>
  (version: number): Seen | undefined =>
    all.find((seen) => seen.version === version)

/** What was put, by users and by controllers, across as many connections as it takes, until the last. */
async function watch(client: Client, since: number, signal: AbortSignal): Promise<Seen[]> {
  const seen: Seen[] = []
  for await (const change of client.tenant('default').workloads.watch({ since, signal })) {
    if (change.type !== 'put') continue
    seen.push({ version: change.resourceVersion, name: change.object.metadata.name })
    if (change.object.metadata.name === 'last') break
  }
  return seen
}
