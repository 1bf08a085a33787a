/** Several ordered streams as one, by time: what happened first comes first. */

export async function* merged<T extends { readonly ts: Date }>(streams: readonly AsyncIterable<T>[]): AsyncIterable<T> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]())
  try {
    const heads = await Promise.all(iterators.map((iterator) => iterator.next()))
    for (;;) {
      const first = earliest(heads)
      if (first === undefined) return
      yield first.value
      const iterator = iterators[first.at]
      if (iterator) heads[first.at] = await iterator.next()
    }
  } finally {
    await Promise.all(iterators.map((iterator) => iterator.return?.()))
  }
}

function earliest<T extends { readonly ts: Date }>(
  heads: readonly IteratorResult<T>[],
): { readonly at: number; readonly value: T } | undefined {
  let best: { at: number; value: T } | undefined
  heads.forEach((head, at) => {
    if (!head.done && (!best || head.value.ts < best.value.ts)) best = { at, value: head.value }
  })
  return best
}
