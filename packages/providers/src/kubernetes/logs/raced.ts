/** Several streams as one, as they come. */

/** Whichever has something; each is asked again only when its last was taken. */
export async function* raced<T>(sources: readonly AsyncGenerator<T>[]): AsyncGenerator<T> {
  const asked = new Map(sources.map((source, at) => [at, next(source, at)]))
  try {
    while (asked.size > 0) {
      const { at, result } = await Promise.race(asked.values())
      const source = sources[at]
      if (result.done || !source) asked.delete(at)
      else {
        asked.set(at, next(source, at))
        yield result.value
      }
    }
  } finally {
    // Whoever leaves takes both along; one that still waits for its server ends with its own signal.
    for (const source of sources) void source.return(undefined).catch(() => undefined)
  }
}

const next = async <T>(source: AsyncGenerator<T>, at: number) => ({ at, result: await source.next() })
