/** What a cluster puts on the machine outside of its folder: written down before any of it is made. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Footprint = {
  /** The machine's end of the link between the machine's network and the cluster's own. */
  readonly link: string
  /** Debian's programs, by which it was made and can be taken away. */
  readonly programs: string
}

/** A name that no other instance on this machine has: interfaces have 15 characters at most. */
export function linkFor(folder: string): string {
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 6)
  return `gk${id}`
}

export async function writeFootprint(folder: string, footprint: Footprint): Promise<void> {
  await writeFile(fileOf(folder), JSON.stringify(footprint))
}

/** Undefined if nothing was made for this folder. */
export async function readFootprint(folder: string): Promise<Footprint | undefined> {
  return readFile(fileOf(folder), 'utf8').then(
    (text) => JSON.parse(text) as Footprint,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
}

function fileOf(folder: string): string {
  return join(folder, 'footprint.json')
}
