/** The one private folder that all state of the rig lies below. */
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '@gantry/core'
import { ownUid, servant } from './servant.ts'

/** Where temporary files of the whole machine go when `TMPDIR` is a folder that only its owner may enter. */
const commonTemporary = '/var/tmp'

/** Two checkouts share what runs only if they agree on its files and words: raised with either. */
const layout = 1

/** Creates the folder if need be, and refuses one that somebody else made: what lies in it is trusted. */
export function rigFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const folder = chooseFolder(env)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== ownUid()) {
    throw new Fault(
      'engine_refused',
      `${folder} is not a folder of yours; remove it, or set GANTRY_ENGINES_DIR to another one`,
    )
  }
  return makePassable(folder)
}

/** An engine's servant passes through to the part that is its own, but cannot list what else is there. */
export function makePassable(folder: string): string {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, servant() ? 0o711 : 0o700)
  return folder
}

function chooseFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (env.GANTRY_ENGINES_DIR) return resolve(env.GANTRY_ENGINES_DIR)
  return join(openTemporary(), `gantry-engines-${ownUid()}-v${layout}`)
}

/** A folder for temporary files that an engine's own account can get into. */
export function openTemporary(): string {
  return servant() === undefined || enterableByAll(tmpdir()) ? tmpdir() : commonTemporary
}

/** Whether an account without any rights here could pass through this folder and all those above it. */
export function enterableByAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o001) === 0) return false
  return dirname(folder) === folder || enterableByAll(dirname(folder))
}

export type Versioned = { readonly name: string; readonly version: string }

/** The shared instance of an engine, and each private one, has a folder of its own with its keeper's files in it. */
export function sharedFolder(engine: Versioned): string {
  return join(engineFolder(engine), 'shared')
}

export function privateFolder(engine: Versioned, id: string): string {
  return join(engineFolder(engine), `private-${id}`)
}

export function instanceFolders(engine: Versioned): string[] {
  return readdirSync(engineFolder(engine)).map((name) => join(engineFolder(engine), name))
}

/** The system takes no name of a socket that is longer than about a hundred bytes (104 on macOS, 108 on Linux). */
const longestSocket = 103

/** Where the keeper of an instance listens: apart from its other files, since their path is long. */
export function socketOf(instance: string): string {
  const name = createHash('sha256').update(instance).digest('hex').slice(0, 10)
  const path = join(dirname(dirname(instance)), 'sockets', name)
  if (Buffer.byteLength(path) <= longestSocket) return path
  throw new Fault('engine_refused', `${path} is too long for a socket; set GANTRY_ENGINES_DIR to a shorter path`)
}

function engineFolder({ name, version }: Versioned): string {
  return makePassable(join(rigFolder(), `${name}-${version}`))
}
