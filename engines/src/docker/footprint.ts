/** What an instance puts on the machine outside of its folder: written down before any of it is made. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Footprint = {
  /** The bridge of containers that name no network. */
  readonly bridge: string
  /** Chains of rules are called this, or begin with this and a dash. */
  readonly chains: string
  /** Below this name containers are in the control groups. */
  readonly cgroup: string
  /** The second number of its addresses, 10.x.0.0/16: no other interface of the machine has it. */
  readonly subnet: number
  /** By which programs it was made, and can be taken away. */
  readonly programs: string
  readonly xtables: string
}

/** Names that no other instance on this machine has: interfaces have 15 characters at most, and chains 28. */
export function namesFor(folder: string): Pick<Footprint, 'bridge' | 'chains' | 'cgroup'> {
  const id = createHash('sha256').update(folder).digest('hex').slice(0, 6)
  return { bridge: `gd${id}`, chains: `GD${id.toUpperCase()}`, cgroup: `gantry-docker-${id}` }
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
