/** Whom an image means by a name: read from the image itself, in a container of it that is never started. */
import { posix } from 'node:path'
import { type Call, Fault, isFault } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import { firstEntry } from '../tar/read.ts'
import { type Owner, ownerByNumbers, ownerFromTables, type UserTables } from './owner.ts'

export interface ImageUsers {
  /**
   * Who a service of this image runs as. `user` is as the engine takes it, an empty one root; `image` is an id, since what
   * was read of it is kept. Throws `engine_rejected` where the image has no such user or group.
   */
  owner(image: string, user: string, call: Call): Promise<Owner>
}

/** The container to look through: of this name with the first characters of the image's id, and with these labels. */
export type LookThrough = { readonly namePrefix: string; readonly labels: Readonly<Record<string, string>> }

/** Images whose tables are kept; more than an engine mostly has. */
const mostKept = 500
const mostTableBytes = 4 * 1024 * 1024
const mostLinks = 8
const mostTries = 5

export function imageUsers(api: DockerApi, through: LookThrough): ImageUsers {
  const kept = new Map<string, UserTables>()
  return {
    async owner(image, user, call) {
      const known = ownerByNumbers(user)
      if (known) return known
      const tables = kept.get(image) ?? (await lookedThrough(api, image, through, call))
      kept.set(image, tables)
      for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest)
      return ownerFromTables(user, tables)
    },
  }
}

/**
 * Somebody else may look through the same container (one that is left of an attempt that died is found under the same name),
 * and remove it meanwhile: what was not found in it may only have gone with it, and is looked for again.
 */
async function lookedThrough(api: DockerApi, image: string, through: LookThrough, call: Call): Promise<UserTables> {
  const name = `${through.namePrefix}-${image.replace(/^sha256:/, '').slice(0, 24)}`
  for (let time = 0; time < mostTries; time += 1) {
    const id = await containerFor(api, name, image, through.labels, call)
    if (id === undefined) continue
    try {
      const tables = {
        passwd: await tableAt(api, id, '/etc/passwd', call),
        group: await tableAt(api, id, '/etc/group', call),
      }
      if (await api.containers.inspect(id, call)) return tables
    } finally {
      // Also for a caller who has left: nothing else comes by to take it away.
      await api.containers.remove(id, { force: true, volumes: true }, { signal: new AbortController().signal })
    }
  }
  throw new Fault('engine_object_conflict', `Container ${name} is removed by somebody else again and again`)
}

/** Undefined if it went while it was looked at. Throws `foreign_object` where the name is somebody else's. */
async function containerFor(
  api: DockerApi,
  name: string,
  image: string,
  labels: Readonly<Record<string, string>>,
  call: Call,
): Promise<string | undefined> {
  try {
    const settings = { Image: image, Cmd: ['never-started'], Labels: labels, HostConfig: { NetworkMode: 'none' } }
    return (await api.containers.create(name, settings, call)).Id
  } catch (error) {
    if (!isFault(error) || error.reason !== 'engine_object_exists') throw error
    const found = await api.containers.inspect(name, call)
    const isOurs = Object.entries(labels).every(([key, value]) => found?.Config.Labels?.[key] === value)
    if (found === undefined || (isOurs && found.Image === image)) return found?.Id
    const message = `Container ${name} is not of this installation; rename or remove it, so that users of ${image} can be looked up`
    throw new Fault('foreign_object', message)
  }
}

/** Empty where the image has none. Links are the image's own, so they are followed inside of it. */
async function tableAt(api: DockerApi, container: string, path: string, call: Call): Promise<string> {
  let at = path
  try {
    for (let link = 0; link < mostLinks; link += 1) {
      const found = await firstEntry(await api.containers.getArchive(container, at, call), mostTableBytes)
      if ('content' in found) return found.content.toString('utf8')
      if ('other' in found) return ''
      at = posix.resolve(posix.dirname(at), found.link)
    }
  } catch (error) {
    if (isFault(error) && error.reason === 'engine_object_not_found') return ''
    throw error
  }
  throw new Fault('engine_rejected', `${path} of the image is a link that leads round in a circle`)
}
