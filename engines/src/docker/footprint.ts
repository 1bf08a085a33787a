/** What an instance puts on the machine outside of its folder: written down before any of it is made. */
import { footprintFile, idFor } from '../footprint-file.ts'

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
  const id = idFor(folder)
  return { bridge: `gd${id}`, chains: `GD${id.toUpperCase()}`, cgroup: `gantry-docker-${id}` }
}

export const { write: writeFootprint, read: readFootprint } = footprintFile<Footprint>()
