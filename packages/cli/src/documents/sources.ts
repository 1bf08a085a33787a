/** What `-f` means: files, folders, patterns and standard input, as texts with the folder that they are in. */
import type { Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Fault } from '@gantry/core'
import type { World } from '../world/world.ts'
import { filesLike, isPattern } from './glob.ts'

export type Source = {
  /** As people call it: the path as given, or "standard input". */
  readonly name: string
  readonly folder: string
  readonly text: string
}

type Place = Pick<World, 'folder' | 'keys' | 'signal'>

/** What is read where nothing is named. */
export const usualFiles = ['gantry.yaml', 'gantry.yml'] as const

export async function readSources(named: readonly string[], place: Place): Promise<Source[]> {
  const names = named.length > 0 ? named : [await usualFile(place.folder)]
  if (names.filter((name) => name === '-').length > 1) throw new Fault('bad_request', 'Standard input is named twice')
  const found: Source[] = []
  const seen = new Set<string>()
  for (const name of names) {
    if (name === '-') {
      const text = await place.keys.readAll({ signal: place.signal })
      found.push({ name: 'standard input', folder: place.folder, text })
      continue
    }
    for (const file of await filesOf(name, place.folder)) {
      // A file that two patterns find is one file.
      const path = resolve(place.folder, file)
      if (!seen.has(path)) found.push({ name: file, folder: dirname(path), text: await readText(path, file) })
      seen.add(path)
    }
  }
  return found
}

async function usualFile(folder: string): Promise<string> {
  for (const name of usualFiles) if (await looked(resolve(folder, name))) return name
  throw new Fault(
    'bad_request',
    `There is no gantry.yaml in ${folder}; go to where it is, or name what to read with -f FILE`,
  )
}

/** What a name means: a file, those of a folder, or those like a pattern. */
export async function filesOf(name: string, folder: string): Promise<string[]> {
  const found = await looked(resolve(folder, name))
  if (found?.isDirectory()) return await filesIn(name, folder)
  // A file may be called like a pattern.
  if (found || !isPattern(name)) return [name]
  const files = await filesLike(name, folder)
  if (files.length > 0) return files.map((path) => shown(path, name, folder))
  throw new Fault('bad_request', `No file is like ${name}; looked from ${folder}`)
}

/** Only its own: what lies in folders below is for patterns, as in `-f 'apps/**'`. */
async function filesIn(name: string, folder: string): Promise<string[]> {
  const entries = await readdir(resolve(folder, name), { withFileTypes: true })
  const files = entries.filter((entry) => !entry.isDirectory() && /^[^.].*\.(ya?ml|json)$/.test(entry.name))
  if (files.length > 0) return files.map((entry) => join(name, entry.name)).toSorted()
  throw new Fault(
    'bad_request',
    `There is no .yaml, .yml or .json file in ${name}; for those in folders below it, write -f '${join(name, '**', '*.yaml')}'`,
  )
}

function shown(path: string, pattern: string, folder: string): string {
  const own = resolve(folder)
  return !pattern.startsWith('/') && path.startsWith(`${own}/`) ? path.slice(own.length + 1) : path
}

async function readText(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Fault('bad_request', `${name} cannot be read: ${whyNot(cause)}`, { cause })
  }
}

async function looked(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EISDIR: 'it is a folder',
}

export function whyNot(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return reasons[code] ?? message
}
