/** Frames over a socket: one JSON value per line, which JSON itself never contains a line break in. */
import type { Socket } from 'node:net'
import { Fault } from '@gantry/core/base'

/** Larger than any spec that fits a process's environment; whatever is longer is no frame of ours. */
const longestFrame = 16 << 20

/** Calls `take` for every frame, and `broken` once if what comes is none. Answers what takes bytes. */
export function frameReader(take: (frame: unknown) => void, broken: (fault: Fault) => void): (bytes: Buffer) => void {
  let parts: Buffer[] = []
  let held = 0
  let over = false
  return (bytes) => {
    let from = 0
    while (!over) {
      const end = bytes.indexOf(0x0a, from)
      const part = bytes.subarray(from, end < 0 ? bytes.length : end)
      parts.push(part)
      held += part.length
      if (held > longestFrame) return fail('A frame is longer than any can be')
      if (end < 0) return
      const text = Buffer.concat(parts).toString()
      parts = []
      held = 0
      from = end + 1
      const frame = parse(text)
      if (!frame) return fail('A frame is not JSON')
      take(frame.value)
    }
  }

  function fail(message: string): void {
    over = true
    broken(new Fault('bad_request', message))
  }
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Writes after the other side has gone go nowhere, which its own end tells. */
export function sendFrame(socket: Socket, frame: unknown): void {
  if (socket.writable) socket.write(`${JSON.stringify(frame)}\n`)
}
