/**
 * What an object says of itself in its annotations, so that a server that has just started knows it too: written by `plan/`,
 * read here. What somebody has changed by hand is as good as not there.
 */
import type { Exposure, ServiceRole } from '@gantry/core'

export const annotation = {
  /** On a pod template: its services, in the order of the pod. */
  services: 'gantry.dev/services',
  /** On a Deployment or StatefulSet: what was asked for beside what pods are made of. */
  wishes: 'gantry.dev/wishes',
  /** On a Deployment or StatefulSet: what is in its template and not in the spec hash. */
  template: 'gantry.dev/template',
  /** On a Deployment or StatefulSet: a hash of all that cannot be changed in place. */
  fixed: 'gantry.dev/fixed',
  /** On everything that we apply: a hash of what we applied. */
  applied: 'gantry.dev/applied',
} as const

export type PortRecord = {
  readonly name: string
  readonly port: number
  readonly protocol: 'http' | 'tcp' | 'udp'
  /** Of the node that the pod is on; left out: none. */
  readonly hostPort?: number
  /** The address of the node that it is opened on; left out: all of them. */
  readonly bind?: string
}

export type ServiceRecord = {
  /** Of the container, too. */
  readonly name: string
  readonly role: ServiceRole
  /** It has a health check. */
  readonly check: boolean
  readonly ports: readonly PortRecord[]
}

export type WishesRecord = {
  readonly maxPerHour?: number
  readonly minReadySeconds: number
  readonly notEnforced: readonly string[]
  readonly expose: Exposure
}

export const noWishes: WishesRecord = { minReadySeconds: 0, notEnforced: [], expose: 'none' }

/** Thousands of pods carry the same text: it is read once. */
export class Records {
  readonly #services = new Map<string, readonly ServiceRecord[]>()
  readonly #wishes = new Map<string, WishesRecord>()

  services(text: string | undefined): readonly ServiceRecord[] {
    return this.#read(this.#services, text, [], Array.isArray)
  }

  wishes(text: string | undefined): WishesRecord {
    return this.#read(this.#wishes, text, noWishes, (value) => typeof value === 'object' && value !== null)
  }

  #read<T>(known: Map<string, T>, text: string | undefined, none: T, fits: (value: unknown) => boolean): T {
    if (text === undefined) return none
    const before = known.get(text)
    if (before !== undefined) return before
    // What nobody has any more is not kept for ever.
    if (known.size >= mostKept) known.clear()
    const value = parsed(text)
    const read = fits(value) ? (value as T) : none
    known.set(text, read)
    return read
  }
}

const mostKept = 5000

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
