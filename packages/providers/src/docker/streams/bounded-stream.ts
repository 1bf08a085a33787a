/** A stream of bytes whose writer can wait for its reader, so that nobody has to hold what a command writes. */
import { channel } from '../../channel.ts'

/** So much may lie here unread. */
const windowBytes = 512 * 1024

export type BoundedStream = {
  /** To be read once. Who leaves is not waited for. */
  readonly bytes: AsyncIterable<Uint8Array>
  push(bytes: Uint8Array): void
  /** Resolves when the reader has caught up enough, or there is no reader any more. */
  room(): Promise<void>
  /** What is there is still read, then it ends; nobody waits for room any more. */
  close(): void
}

export function boundedStream(): BoundedStream {
  let unread = 0
  let isOver = false
  let wake = (): void => undefined
  const end = (): void => {
    isOver = true
    wake()
  }
  const lying = channel<Uint8Array>(end)

  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const bytes of lying) {
      yield bytes
      unread -= bytes.length
      if (unread <= windowBytes) wake()
    }
  }

  return {
    bytes: counted(),
    push(bytes) {
      if (isOver) return
      unread += bytes.length
      lying.push(bytes)
    },
    async room() {
      while (!isOver && unread > windowBytes) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close() {
      lying.close()
      end()
    },
  }
}
