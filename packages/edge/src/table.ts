/**
 * What the edge is told: whole, numbered, and complete in itself. It knows nothing of rollouts and readiness; whoever
 * compiles a table has decided already, and the edge only adds what it sees by itself: that nobody answers at an address.
 */

export type Dial = { readonly host: string; readonly port: number } | { readonly unix: string }

/** A place where requests can be sent, the same through every route that names it. */
export type EdgeBackend = {
  /** Never used again for another place, so that figures and what is in flight are never mixed up. */
  readonly id: string
  readonly dial: Dial
  /** Gets nothing new; what is in flight there is told until it is over. */
  readonly leaving: boolean
  /**
   * Where somebody else decides which of several answers at this address: how old a connection may be that something new is
   * sent over. An old one may lead to one that is about to go. Left out: as old as it gets.
   */
  readonly maxConnectionAgeMs?: number
}

/** One of the two instances of a workload, by its share of what is new. */
export type EdgeSlot = {
  readonly slot: 'a' | 'b'
  /** Relative to the others of the route; 0: nothing new. */
  readonly weight: number
  /** Ids of backends. None: its share goes to the other slot, because a request is worth more than a ratio. */
  readonly backends: readonly string[]
}

export type EdgeRoute = {
  readonly id: string
  /** In lower case, without a port. */
  readonly host: string
  /** `/`, or the beginning of a path, which ends where a part of the path does: `/api` is not the beginning of `/apis`. */
  readonly path: string
  /** For figures, and for pages that say what does not answer. */
  readonly workload: { readonly tenant: string; readonly name: string; readonly uid: string }
  readonly slots: readonly EdgeSlot[]
  /** Why there is nobody to answer, where there is nobody; ends up on the page. */
  readonly why?: string
}

export type EdgeTable = {
  readonly version: 1
  /** Grows with every table, also across restarts of whoever makes them: an older one never replaces a newer one. */
  readonly number: number
  readonly backends: readonly EdgeBackend[]
  readonly routes: readonly EdgeRoute[]
  /** Addresses, or ranges like `10.0.0.0/8`, whose `X-Forwarded-*` is believed. */
  readonly trusted: readonly string[]
}

/** What an edge has that was never told anything. */
export const emptyTable: EdgeTable = { version: 1, number: 0, backends: [], routes: [], trusted: [] }
