/** What is to be hidden of a text with several lines: pure. Places are counted without line ends. */

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
  let shown = ''
  let at = 0
  // How many line ends were passed, and where the next one is.
  let passed = 0
  let end = text.indexOf('\n')
  for (const [from, to] of marks) {
    for (let place = from - start; place < to - start; ) {
      while (end - passed <= place) {
        passed += 1
        end = text.indexOf('\n', end + 1)
      }
      shown += text.slice(at, place + passed) + mask
      place = Math.min(to - start, end - passed)
      at = place + passed
    }
  }
  return shown + text.slice(at)
}
