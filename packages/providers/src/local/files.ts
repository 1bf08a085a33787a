/**
 * The folders and files of a replica, made before anything of it runs. Until all is there it belongs to us, and only then to
 * the user who runs it: nobody can put a link where we are about to write. What was handed over is never written to again.
 */
import { chmod, lchown, lstat, mkdir, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Fault } from '@gantry/core'
import type { Desired, DesiredService } from '../desired.ts'
import { at, isErrno } from './errno.ts'
import { memoryFolder, type Places, persistentFolder, replicaFolder, rootFolder, volumeFolder } from './places.ts'
import { userOf } from './plan.ts'
import type { ReplicaRecord, VolumeRecord } from './records.ts'
import type { User } from './users.ts'
import { folderOf } from './volumes.ts'

/** A folder of ours that others may pass through, and see nothing in; whatever mask we run under. */
export async function passage(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o711 })
  for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made)) {
    await chmod(made, 0o711)
  }
}

export async function prepareReplica(places: Places, record: ReplicaRecord, desired: Desired): Promise<void> {
  const folder = replicaFolder(places, record.engineId)
  // Whatever is left of an attempt that did not come to its end.
  await removeReplicaFiles(places, record.engineId)
  await passage(folder)
  await prepareSecrets(places, record, desired)
  const making = desired.services.map((service) => prepareService(places, record, service))
  // Side by side; one that fails is told when none of the others is at work any more.
  await Promise.allSettled(making)
  const trees = await Promise.all(making)
  for (const tree of trees.reverse()) await tree.handOver()
}

/** In folders that stay ours, so that it can be done again after the machine was off and has forgotten them. */
export async function prepareSecrets(places: Places, record: ReplicaRecord, { services }: Desired): Promise<void> {
  for (const service of services) {
    for (const [place, { file, value }] of service.secrets.entries()) {
      if (file === undefined) continue
      const path = secretFile(places, record.engineId, service.name, place)
      await passage(dirname(path))
      const draft = `${path}.draft`
      await rm(draft, { force: true })
      await at(path, writeFile(draft, value.reveal(), { mode: 0o400, flag: 'wx' }))
      const user = userOf(record, service)
      if (user) await lchown(draft, user.uid, user.gid)
      await rename(draft, path)
    }
  }
}

const secretFile = (places: Places, engineId: string, service: string, at: number): string =>
  join(memoryFolder(places, engineId), 'secrets', service, String(at))

async function prepareService(places: Places, record: ReplicaRecord, service: DesiredService): Promise<Tree> {
  const made = new Tree(userOf(record, service))
  const root = rootFolder(places, record.engineId, service.name)
  await passage(dirname(root))
  await made.folder(root, root)
  for (const volume of service.volumes) {
    const target = volumeFolder(places, record, volume)
    await prepareVolume(target, volume.type, volume.name, made)
    await made.folder(root, dirname(join(root, volume.path)))
    await made.link(target, join(root, volume.path))
  }
  for (const { path, content, mode } of service.configFiles) {
    await made.folder(root, dirname(join(root, path)))
    await made.file(join(root, path), content, Number.parseInt(mode, 8))
  }
  for (const [at, { file }] of service.secrets.entries()) {
    if (file === undefined) continue
    await made.folder(root, dirname(join(root, file)))
    await made.link(secretFile(places, record.engineId, service.name, at), join(root, file))
  }
  return made
}

/** One that is there from an earlier life is taken up again with what is in it. */
async function prepareVolume(target: string, type: string, name: string, made: Tree): Promise<void> {
  if (type !== 'host') {
    await passage(dirname(target))
    await made.folder(target, target)
    made.own(target)
    return
  }
  if (await isThere(target)) return
  throw new Fault('engine_refused', `volume ${name}: there is no folder ${target} on this machine; make it`)
}

export async function removeReplicaFiles(places: Places, engineId: string): Promise<void> {
  for (const folder of [replicaFolder(places, engineId), memoryFolder(places, engineId)]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

export async function removeVolume(places: Places, volume: VolumeRecord): Promise<void> {
  const target = persistentFolder(places, folderOf(volume), volume.index, volume.name)
  await rm(target, { recursive: true, force: true, maxRetries: 3 })
  // Folders above it go with the last one that was in them.
  for (const folder of [dirname(target), dirname(dirname(target))]) await removeIfEmpty(folder)
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: unknown) => {
    if (!isErrno(error, 'ENOTEMPTY', 'ENOENT', 'EEXIST')) throw error
  })
}

/** What was made for a user, handed over last and from the inside out. */
class Tree {
  readonly #user: User | undefined
  readonly #made: string[] = []

  constructor(user: User | undefined) {
    this.#user = user
  }

  /** The folder and all between it and `root`. */
  async folder(root: string, path: string): Promise<void> {
    if (path !== root && path.startsWith(root)) await this.folder(root, dirname(path))
    try {
      await mkdir(path, { mode: 0o700 })
      this.#made.push(path)
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
    }
  }

  /** Also what was there before: whoever made it may have died before it was handed over. */
  own(path: string): void {
    if (!this.#made.includes(path)) this.#made.push(path)
  }

  async file(path: string, content: string, mode: number): Promise<void> {
    await at(path, writeFile(path, content, { mode: 0o600, flag: 'wx' }))
    await chmod(path, mode)
    this.#made.push(path)
  }

  async link(target: string, path: string): Promise<void> {
    await symlink(target, path)
    this.#made.push(path)
  }

  async handOver(): Promise<void> {
    if (!this.#user) return
    for (const path of this.#made.reverse()) await lchown(path, this.#user.uid, this.#user.gid)
  }
}

/** Whether the machine has forgotten what was only in its memory. */
export async function secretsForgotten(places: Places, engineId: string, { services }: Desired): Promise<boolean> {
  for (const service of services) {
    for (const [at, { file }] of service.secrets.entries()) {
      if (file === undefined) continue
      if (!(await isThere(secretFile(places, engineId, service.name, at)))) return true
    }
  }
  return false
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false
    throw error
  }
}
