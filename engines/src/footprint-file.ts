/** What an instance puts on the machine outside of its folder: written down in it before any of it is made. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** For names that no other instance on this machine has: six characters, since those of interfaces have 15 at most. */
export function idFor(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 6)
}

export function footprintFile<Footprint>() {
  return {
    async write(folder: string, footprint: Footprint): Promise<void> {
      await writeFile(fileOf(folder), JSON.stringify(footprint))
    },

    /** Undefined if nothing was made for this folder. */
    async read(folder: string): Promise<Footprint | undefined> {
      return readFile(fileOf(folder), 'utf8').then(
        (text) => JSON.parse(text) as Footprint,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined
          throw error
        },
      )
    },
  }
}

function fileOf(folder: string): string {
  return join(folder, 'footprint.json')
}
