/** Lines in one text, each with its line end, and one by one. */
import type { EngineLog } from './log-line.ts'

export function linesOf(text: string): string[] {
  const lines = text.split('\n')
  lines.pop()
  return lines
}

/** What stands at the end of these, no more than `count` lines of it; a gap counts as one. */
export function lastOf(logs: readonly EngineLog[], count: number): EngineLog[] {
  const last: EngineLog[] = []
  let missing = count
  for (let at = logs.length - 1; at >= 0 && missing > 0; at -= 1) {
    const log = logs[at] as EngineLog
    const from = log.type === 'gap' ? 0 : startOfLast(log.text, missing)
    last.push(log.type === 'gap' || from === 0 ? log : { ...log, text: log.text.slice(from) })
    missing -= log.type === 'gap' ? 1 : linesOf(log.text).length
  }
  return last.reverse()
}

function startOfLast(text: string, count: number): number {
  let end = text.length - 1
  for (let found = 0; found < count && end >= 0; found += 1) end = end === 0 ? -1 : text.lastIndexOf('\n', end - 1)
  return end + 1
}
