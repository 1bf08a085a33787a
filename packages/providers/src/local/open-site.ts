/** Finds or starts the supervisor, makes the folders, and reads what is on record: all that an engine begins with. */
import { randomUUID } from 'node:crypto'
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Call, Fault } from '@gantry/core'
import type { Desired } from '../desired.ts'
import type { Machine } from './check.ts'
import { isErrno } from './errno.ts'
import { passage } from './files.ts'
import { Link } from './link.ts'
import type { LocalOptions } from './options.ts'
import { type Places, runFolder } from './places.ts'
import { RecordStore, writeDurably } from './record-store.ts'
import type { InstanceRecord, ReplicaRecord, VolumeRecord } from './records.ts'
import { Site } from './site.ts'
import { connectSupervisor } from './supervisor/client/connect.ts'
import { passableMemoryDir } from './supervisor/memory-dir.ts'
import { parseUser, type User, userFor } from './users.ts'

export type OpenedSite = {
  readonly site: Site
  readonly machine: Machine
  readonly environment: Readonly<Record<string, string>>
  readonly ids: () => string
  /** Notes the user of the tenant, once and for all. `undefined`: processes run as we do. */
  readonly userFor: (desired: Desired) => Promise<User | undefined>
}

export async function openSite(options: LocalOptions, call: Call): Promise<OpenedSite> {
  const { installation, clock, random = Math.random } = options
  const self = options.self ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const root = self.uid === 0
  const link = new Link(options.supervisor ?? connectSupervisor(options.dataDir, { start: true, clock }))
  const info = await link.supervisor.info(call)
  const places = await makePlaces(options, self.uid, info.memoryDir)
  const [instances, replicas, volumes] = [
    new RecordStore<InstanceRecord>(join(places.records, 'instances')),
    new RecordStore<ReplicaRecord>(join(places.records, 'replicas')),
    new RecordStore<VolumeRecord>(join(places.records, 'volumes')),
  ]
  for (const store of [instances, replicas, volumes]) await store.load()
  const site = new Site({ installation, places, link, clock, random, instances, replicas, volumes })
  await site.open(call)
  const users = new Users(join(places.records, 'users.json'))
  const allowed = root ? (options.allowUsers ?? []).flatMap((text) => parseUser(text) ?? []) : []
  return {
    site,
    machine: { enforces: info.enforces, allowed, userOf: (tenant) => (root ? users.of(tenant) : self) },
    environment: inherited(options.environment ?? process.env),
    ids: options.ids ?? (() => randomUUID().slice(0, 8)),
    userFor: async ({ ref }) => (root ? await users.note(ref.tenant) : undefined),
  }
}

async function makePlaces(options: LocalOptions, uid: number, memory: string | undefined): Promise<Places> {
  const { dataDir } = options
  const root = uid === 0
  const run = options.runDir ?? runFolder(dataDir, root, isReachable)
  if (!(await isOurs(run, uid))) {
    const message = `The folder ${run} is somebody else's, or open to others; remove it, or choose another data folder`
    throw new Fault('engine_refused', message)
  }
  // The supervisor's own folder in memory lets nobody else pass.
  const inMemory = memory === undefined ? undefined : root ? passableMemoryDir(memory) : join(memory, 'local')
  const usable = inMemory !== undefined && (await isOurs(inMemory, uid))
  return { records: join(dataDir, 'local', 'records'), run, memory: usable ? inMemory : undefined }
}

/** Made, or found as we would have made it: where everybody may write, somebody may have been there before us. */
async function isOurs(folder: string, uid: number): Promise<boolean> {
  await passage(folder)
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0
}

/** Whether others may pass through the folder and all above it. */
function isReachable(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Everything else a process is told is in its spec: nothing of the server's own leaks into it. */
function inherited(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const names = ['PATH', 'LANG', 'LC_ALL', 'TZ']
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  )
}

/** Which tenant has which user, written down: a name that comes back later is the same user, and nobody else's. */
class Users {
  readonly #path: string
  #recorded: Record<string, number>

  constructor(path: string) {
    this.#path = path
    this.#recorded = readRecorded(path)
  }

  of(tenant: string): User {
    return userFor(tenant, this.#recorded)
  }

  async note(tenant: string): Promise<User> {
    const user = this.of(tenant)
    if (this.#recorded[tenant] === undefined) {
      this.#recorded = { ...this.#recorded, [tenant]: user.uid }
      await writeDurably(this.#path, JSON.stringify(this.#recorded))
    }
    return user
  }
}

function readRecorded(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return {}
    throw error
  }
}
