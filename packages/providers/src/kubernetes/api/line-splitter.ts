/** Pure: bytes in whatever pieces, as whole lines without their ends. A line is copied only where it came in several pieces. */
import { Fault } from '@gantry/core'

/** An object in a cluster is far smaller. */
const mostBytes = 64 * 1024 * 1024
const newline = 10

export class LineSplitter {
  #pending: Buffer[] = []
  #size = 0

  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = []
    let from = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const piece = chunk.subarray(from, end)
      from = end + 1
      const line = this.#pending.length === 0 ? piece : Buffer.concat([...this.#pending, piece])
      this.#pending = []
      this.#size = 0
      if (line.length > 0) lines.push(line)
    }
    if (from < chunk.length) {
      this.#pending.push(chunk.subarray(from))
      this.#size += chunk.length - from
      if (this.#size > mostBytes) throw new Fault('bad_answer', 'The Kubernetes API sent a line without end')
    }
    return lines
  }
}
