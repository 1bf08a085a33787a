/** Bytes both ways, to a port that only the engine can reach. */
export interface Connection {
  /** Ends when the other side has nothing more to say; to be read once. */
  readonly incoming: AsyncIterable<Uint8Array>
  /** Settles when the engine took the bytes, so a writer feels a slow reader. */
  write(bytes: Uint8Array): Promise<void>
  /** Nothing more comes from this side. */
  end(): Promise<void>
  /** Settles when it has ended; rejects with what the other side said went wrong (nobody listens …). */
  readonly closed: Promise<void>
  close(): void
}
