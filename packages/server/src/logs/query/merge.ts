/** Several streams, each in order of time, as one in order of time. Holds one read of each that is open, and no more. */
import type { Read } from '../segments/source-reader.ts'
import type { StoredLog } from '../stored-log.ts'

export type Stream<T> = {
  readonly about: T
  /** Nothing in it is older than this: until then it need not be opened. */
  readonly first: number
  open(): AsyncGenerator<Read>
}

export type Merged<T> = { readonly about: T; readonly log: StoredLog }

type Head<T> = { readonly about: T; readonly reads: AsyncGenerator<Read>; logs: readonly StoredLog[]; at: number }

export async function* merge<T>(streams: readonly Stream<T>[]): AsyncGenerator<Merged<T>> {
  const waiting = streams.toSorted((left, right) => right.first - left.first)
  const heads: Head<T>[] = []
  try {
    for (;;) {
      const earliest = earliestOf(heads)
      const next = waiting.at(-1)
      if (next && (!earliest || next.first <= timeOf(earliest))) {
        waiting.pop()
        const head = await begin(next)
        if (head) heads.push(head)
        continue
      }
      if (!earliest) return
      yield { about: earliest.about, log: earliest.logs[earliest.at] as StoredLog }
      earliest.at += 1
      if (earliest.at === earliest.logs.length && !(await refill(earliest))) heads.splice(heads.indexOf(earliest), 1)
    }
  } finally {
    for (const { reads } of heads) await reads.return(undefined)
  }
}

async function begin<T>({ about, open }: Stream<T>): Promise<Head<T> | undefined> {
  const head: Head<T> = { about, reads: open(), logs: [], at: 0 }
  return (await refill(head)) ? head : undefined
}

async function refill<T>(head: Head<T>): Promise<boolean> {
  for (;;) {
    const { done, value } = await head.reads.next()
    if (done) return false
    if (value.logs.length === 0) continue
    head.logs = value.logs
    head.at = 0
    return true
  }
}

/** Among equals the one that came first: lines of one source never change places. */
function earliestOf<T>(heads: readonly Head<T>[]): Head<T> | undefined {
  let found = heads[0]
  for (const head of heads) if (found && timeOf(head) < timeOf(found)) found = head
  return found
}

function timeOf<T>({ logs, at }: Head<T>): number {
  return logs[at]?.at ?? Number.POSITIVE_INFINITY
}
