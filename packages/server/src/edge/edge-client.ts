/** Keeps one connection to the edge for as long as the server runs: made again whenever it ends. */
import { asFault, type Call, type Clock, type Fault, isFault, orAbort, sleep } from '@gantry/core'
import { connectEdge, type EdgeLink } from '@gantry/edge'

export interface EdgeClient {
  /** The connection, while there is one. */
  readonly link: EdgeLink | undefined
  /** Calls back with each new connection. A listener must not throw. Returns what ends it. */
  subscribe(listener: (link: EdgeLink) => void): () => void
  /** Lets go of the edge, which goes on with the table that it has. Twice is harmless. */
  stop(): Promise<void>
}

export type EdgeClientOptions = {
  /** The control socket. */
  readonly path: string
  readonly clock: Clock
  /** Told once for each time that it cannot be reached. */
  readonly onTrouble: (fault: Fault) => void
  /** Wraps each connection, to watch it or to break it. */
  readonly wrap?: ((link: EdgeLink) => EdgeLink) | undefined
}

/** An edge that was killed is back in a moment, so nobody waits long for it. */
const tryAgainMs = 200
/** Told only if it stays away for longer than a restart takes. */
const toldAfterTries = 15

export function openEdgeClient({ path, clock, onTrouble, wrap }: EdgeClientOptions): EdgeClient {
  const stopping = new AbortController()
  const listeners = new Set<(link: EdgeLink) => void>()
  let link: EdgeLink | undefined
  const call: Call = { signal: stopping.signal }
  const kept = keep()
  return {
    get link() {
      return link
    },
    subscribe(listener) {
      listeners.add(listener)
      if (link) listener(link)
      return () => listeners.delete(listener)
    },
    async stop() {
      stopping.abort(new Error('the client of the edge was stopped'))
      link?.close()
      await kept
    },
  }

  async function keep(): Promise<void> {
    for (let tries = 0; !stopping.signal.aborted; tries++) {
      try {
        const connected = await connectEdge(path, clock, call)
        link = wrap?.(connected) ?? connected
        tries = 0
        for (const listener of listeners) listener(link)
        await orAbort(link.ended, call)
      } catch (error) {
        if (!stopping.signal.aborted && tries === toldAfterTries) onTrouble(isFault(error) ? error : asFault(error))
      }
      link?.close()
      link = undefined
      await sleep(clock, tryAgainMs, call).catch(() => undefined)
    }
  }
}
