/** The folder of a chart as the archive that Helm takes, without what its `.helmignore` leaves out. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Fault } from '@gantry/core'
import { type Ignored, ignoredBy } from './ignore.ts'
import { type TarFile, tarOf } from './tar.ts'

/** As much as a workload may have of one; see `longestArchive` of the API. */
const longestArchive = 3 * 1024 * 1024
/** Before it is packed: a folder that is no chart may be anything. */
const mostBytes = 64 * 1024 * 1024

export async function packChart(folder: string): Promise<Buffer> {
  const name = await chartName(folder)
  const ignored = ignoredBy(await textOf(join(folder, '.helmignore')))
  const files: TarFile[] = []
  let bytes = 0
  for await (const { path, mode } of filesBelow(folder, '', ignored)) {
    const content = await readFile(join(folder, path))
    bytes += content.length
    if (bytes > mostBytes) throw tooLarge(folder)
    files.push({ name: `${name}/${path}`, bytes: content, mode })
  }
  const packed = await promisify(gzip)(tarOf(files))
  if (packed.length > longestArchive) throw tooLarge(folder)
  return packed
}

/** One that somebody packed already. */
export async function readChart(file: string): Promise<Buffer> {
  const packed = await readFile(file)
  if (packed.length > longestArchive) throw tooLarge(file)
  if (packed[0] === 0x1f && packed[1] === 0x8b) return packed
  throw new Fault('bad_request', `${file} is not a packed chart, which is a .tgz; name a folder as folder`)
}

async function chartName(folder: string): Promise<string> {
  const text = await textOf(join(folder, 'Chart.yaml'))
  const name = /^name:[ \t]*["']?([A-Za-z0-9][-._A-Za-z0-9]*)["']?[ \t]*(?:#.*)?$/m.exec(text)?.[1]
  if (name !== undefined) return name
  throw new Fault('bad_request', `${folder} is not a chart: it has no Chart.yaml with a name in it`)
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

type Found = { readonly path: string; readonly mode: number }

/** In order of name. Links are what they lead to, as Helm has it; one that leads into itself ends where paths do. */
async function* filesBelow(folder: string, below: string, ignored: Ignored): AsyncGenerator<Found> {
  const entries = await readdir(join(folder, below))
  for (const entry of entries.toSorted()) {
    const path = below === '' ? entry : `${below}/${entry}`
    const found = await stat(join(folder, path))
    if (ignored(path, found.isDirectory())) continue
    if (found.isDirectory()) yield* filesBelow(folder, path, ignored)
    else if (found.isFile()) yield { path, mode: found.mode & 0o111 ? 0o755 : 0o644 }
  }
}

function tooLarge(place: string): Fault {
  const what = `${place} is too large for a chart: packed, it may have 3 MiB`
  return new Fault('document_too_large', `${what}; leave files out with .helmignore, or put it into a repository`)
}
