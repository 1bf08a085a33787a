/** Looks again until it holds; with a deadline that says what was seen last. */

export type UntilOptions = { readonly withinMs?: number; readonly everyMs?: number }

export async function until<T>(
  what: string,
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  { withinMs = 60_000, everyMs = 50 }: UntilOptions = {},
): Promise<T> {
  const end = Date.now() + withinMs
  for (;;) {
    let last: unknown
    try {
      const seen = await look()
      if (holds(seen)) return seen
      last = seen
    } catch (error) {
      last = error instanceof Error ? error.message : error
    }
    if (Date.now() > end)
      throw new Error(`Not within ${withinMs} ms: ${what}. Last seen: ${JSON.stringify(last, undefined, 1)}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
