/** Which of the objects this process may work on, where several processes share the work. */

export type Held = {
  /** Ends, with the reason, before anybody else can hold what this process holds. */
  readonly signal: AbortSignal
  /** Store writes carry it. */
  readonly fence: bigint
}

export interface Ownership {
  /** The right to work on the object now; `undefined`: it is another process's, or nobody's yet. */
  held(uid: string): Held | undefined
  /** Called with a test for the objects that became this process's. Returns how to take the listener back. */
  onGained(listener: (gained: (uid: string) => boolean) => void): () => void
}
