/** What is to be hidden of a text with several lines: pure. Places are counted without line ends. */
import { LineEnds } from '../line-ends.ts'

export const mask = '[secret]'

export type Mark = [from: number, to: number]

/** Ends come in order; so what begins before the last mark's end is one with it. */
export function addMark(marks: Mark[], from: number, to: number): void {
  let begin = from
  while (marks.length > 0) {
    const [before, until] = marks.at(-1) as Mark
    if (until < begin) break
    begin = Math.min(before, begin)
    marks.pop()
  }
  marks.push([begin, to])
}

/** The text, whose first character is at `start`, with each mark hidden, line by line. Line ends stay where they are. */
export function masked(text: string, start: number, marks: readonly Mark[]): string {
  const ends = new LineEnds(text)
  let shown = ''
  let at = 0
  for (const [begin, end] of marks) {
    let from = begin - start
    const to = end - start
    while (from < to) {
      // Lines that end before it, also empty ones within it.
      while (ends.next - ends.count <= from) ends.pass()
      const until = Math.min(to, ends.next - ends.count)
      shown += text.slice(at, from + ends.count) + mask
      at = until + ends.count
      from = until
    }
  }
  return shown + text.slice(at)
}
