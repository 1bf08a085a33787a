import { Fault } from '@gantry/core'

/** What JSON cannot say (a cycle, a BigInt) is the caller's mistake and nobody else's. */
export function stringify(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new Fault('schema', 'This cannot be stored: it is not plain JSON', { cause })
  }
}
