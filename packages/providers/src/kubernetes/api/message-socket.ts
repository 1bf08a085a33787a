/** What we use of a WebSocket. Our own words, so that who installs this package needs no types of another. */
export interface MessageSocket {
  /** The one that the server has chosen. */
  readonly protocol: string
  binaryType: 'nodebuffer' | 'arraybuffer' | 'fragments'
  on(event: 'message', listener: (data: Buffer) => void): unknown
  on(event: 'error', listener: (cause: Error) => void): unknown
  once(event: 'close', listener: (code: number, reason: Buffer) => void): unknown
  /** `sent`: with what went wrong, or with nothing. */
  send(message: Uint8Array, sent: (cause?: Error | null) => void): void
  pause(): void
  resume(): void
  close(): void
  terminate(): void
}
