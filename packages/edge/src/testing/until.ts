/** Waiting in tests for something to be so, with an end. */
import type { Call } from '@gantry/core'

/** Nobody gives up; what waits has its own deadline. */
export const never: Call = { signal: new AbortController().signal }

const withinMs = 20_000

/** What `look` gives as soon as it is neither undefined nor false. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const end = performance.now() + withinMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
