/**
 * A value that must not be seen. However it is printed (JSON, inspect, template string, concatenation, spread) it shows
 * that it is a secret and nothing else; `reveal` is the only way to it, and easy to search for.
 */
import { Fault } from './fault.ts'

const redacted = '[secret]'

/** Two installed copies of this package agree on these symbols, where `instanceof` and private fields would not. */
const brand = Symbol.for('gantry.dev/secret')
const nodeInspect = Symbol.for('nodejs.util.inspect.custom')

export class Secret {
  readonly #bytes: Uint8Array

  /** Keeps a copy: whoever made the bytes may wipe theirs. */
  constructor(value: string | Uint8Array) {
    this.#bytes = typeof value === 'string' ? new TextEncoder().encode(value) : Uint8Array.from(value)
    Object.freeze(this)
  }

  /** The value as text. Bytes that are no UTF-8 must be asked for with `revealBytes`. */
  reveal(): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.#bytes)
    } catch {
      // Without a cause: it would be an error that was made from the bytes.
      throw new Fault('secret_not_text', 'The secret is not text, so it can be told in a file only')
    }
  }

  revealBytes(): Uint8Array {
    return this.#bytes.slice()
  }

  /** Takes as long for a near miss as for a far one, so that time tells nothing; the length is not hidden. */
  equals(other: Secret): boolean {
    const theirs = other.revealBytes()
    let difference = this.#bytes.length ^ theirs.length
    for (const [at, byte] of this.#bytes.entries()) difference |= byte ^ (theirs[at] ?? 0)
    return difference === 0
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [Symbol.toPrimitive](): string {
    return redacted
  }

  get [Symbol.toStringTag](): string {
    return 'Secret'
  }

  [nodeInspect](): string {
    return redacted
  }

  get [brand](): true {
    return true
  }
}

/** Recognises a secret, also one made by another copy of this package. */
export function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && brand in value
}
