/** A body that is gathered whole: copied once, into one piece of memory. */
import { Fault } from '@gantry/core'

/** A list of many thousand objects is far smaller. */
const mostBytes = 256 * 1024 * 1024
const firstBytes = 64 * 1024

export class Collected {
  #bytes: Buffer
  #size = 0

  /** `length`: how long it will be, if that is known. */
  constructor(length: number | undefined) {
    if (length !== undefined && length > mostBytes) throw tooMuch()
    this.#bytes = Buffer.allocUnsafe(length ?? firstBytes)
  }

  get size(): number {
    return this.#size
  }

  add(bytes: Buffer, from: number, to: number): void {
    const size = this.#size + to - from
    if (size > this.#bytes.length) this.#grow(size)
    bytes.copy(this.#bytes, this.#size, from, to)
    this.#size = size
  }

  whole(): Buffer {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size)
  }

  #grow(size: number): void {
    if (size > mostBytes) throw tooMuch()
    const larger = Buffer.allocUnsafe(Math.max(size, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#size)
    this.#bytes = larger
  }
}

function tooMuch(): Fault {
  return new Fault('bad_answer', `The Kubernetes API answered with more than ${mostBytes} bytes; ask for less at once`)
}
