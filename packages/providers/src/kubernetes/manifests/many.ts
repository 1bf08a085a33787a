/** The same for many, a few at a time: a server answers several at once, but not hundreds. */

/** More at once make one server slower, not faster. */
export const atOnce = 16

/** In order of the items, whenever each was done. After the first that throws no other is begun; those under way are awaited. */
export async function forMany<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  most: number = atOnce,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  let failed = false
  async function worker(): Promise<void> {
    while (next < items.length && !failed) {
      const at = next++
      try {
        results[at] = await work(items[at] as T)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = Array.from({ length: Math.min(most, items.length) }, () => worker())
  const ended = await Promise.allSettled(workers)
  const broken = ended.find((each) => each.status === 'rejected')
  if (broken) throw broken.reason
  return results
}
