/** What a cluster puts on the machine outside of its folder: written down before any of it is made. */
import { footprintFile, idFor } from '../footprint-file.ts'

export type Footprint = {
  /** The machine's end of the link between the machine's network and the cluster's own. */
  readonly link: string
  /** Debian's programs, by which it was made and can be taken away. */
  readonly programs: string
}

/** A name that no other instance on this machine has: interfaces have 15 characters at most. */
export function linkFor(folder: string): string {
  return `gk${idFor(folder)}`
}

export const { write: writeFootprint, read: readFootprint } = footprintFile<Footprint>()
