/** A few calls at once: enough to hide the way to the store and back, and not so many that they crowd it. */
const batchSize = 8

export async function inBatches<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += batchSize) {
    await Promise.all(items.slice(start, start + batchSize).map(work))
  }
}
