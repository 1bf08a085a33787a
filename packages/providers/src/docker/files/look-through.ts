/** Reads the tables of users out of an image, through a container of it that is never started. */
import { posix } from 'node:path'
import { type Call, type Clock, Fault, isFault, sleep } from '@gantry/core'
import { firstEntry } from '../../tar/read.ts'
import type { DockerApi } from '../api/api.ts'
import type { UserTables } from './owner.ts'

/** The container to look through: of this name with the first characters of the image's id, and with these labels. */
export type LookThrough = { readonly namePrefix: string; readonly labels: Readonly<Record<string, string>> }

type Containers = Pick<DockerApi, 'containers'>

const mostTableBytes = 4 * 1024 * 1024
const mostLinks = 8
const mostTries = 10
const firstWaitMs = 25

/**
 * The name is the same every time, so that what is left of an attempt that died is found, and goes. Another process may so
 * come to look through the same container, and remove it meanwhile: then it is done again.
 */
export async function lookThrough(
  api: Containers,
  image: string,
  { namePrefix, labels }: LookThrough,
  clock: Clock,
  call: Call,
): Promise<UserTables> {
  const name = `${namePrefix}-${image.replace(/^sha256:/, '').slice(0, 24)}`
  for (let time = 0; time < mostTries; time += 1) {
    if (time > 0) await sleep(clock, firstWaitMs * 2 ** time, call)
    const id = await containerFor(api, name, image, labels, call)
    const tables = id === undefined ? undefined : await tablesIn(api, id, call)
    if (tables) return tables
  }
  throw new Fault('engine_object_conflict', `Container ${name} is removed by somebody else again and again`)
}

/** Undefined if the container went meanwhile: what was not found in it may only have gone with it. */
async function tablesIn(api: Containers, id: string, call: Call): Promise<UserTables | undefined> {
  try {
    const passwd = await tableAt(api, id, '/etc/passwd', call)
    const group = await tableAt(api, id, '/etc/group', call)
    const isSure = (passwd !== '' && group !== '') || !(await isGoing(api, id, call))
    return isSure ? { passwd, group } : undefined
  } catch (error) {
    if (isFault(error) && !call.signal.aborted && (await isGoing(api, id, call))) return undefined
    throw error
  } finally {
    await removeOnce(api, id, call)
  }
}

async function isGoing(api: Containers, id: string, call: Call): Promise<boolean> {
  const { Status = 'dead' } = (await api.containers.inspect(id, call))?.State ?? {}
  return Status === 'removing' || Status === 'dead'
}

async function removeOnce(api: Containers, id: string, call: Call): Promise<void> {
  try {
    await api.containers.remove(id, { force: true, volumes: true }, call)
  } catch (error) {
    // Somebody else is at it.
    if (!isFault(error) || error.reason !== 'engine_busy') throw error
  }
}

/** Undefined if it went while it was looked at. Throws `foreign_object` where the name is somebody else's. */
async function containerFor(
  api: Containers,
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
async function tableAt(api: Containers, container: string, path: string, call: Call): Promise<string> {
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
