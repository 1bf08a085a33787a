/** Where the last lines of a log begin. */
import type { Call } from '@gantry/core'
import type { DockerApi } from '../api/api.ts'
import { framedEntries, type LogEntry, pieceBytes, TerminalEntries } from './log-entries.ts'
import { beginning, type LogPlace } from './log-place.ts'

/** Docker counts pieces of long lines as lines: so many more are asked for, and more again where that does not do. */
const moreEntries = 16

/** From here on there are at least so many whole lines, if there are that many at all. */
export async function tailPlace(
  api: DockerApi,
  id: string,
  tty: boolean,
  lines: number,
  call: Call,
): Promise<LogPlace> {
  for (let asked = lines + moreEntries; ; asked *= 4) {
    const reader = tty ? new TerminalEntries() : framedEntries()
    const range = { tty, follow: false, timestamps: true, tail: asked }
    let earliest: string | undefined
    let [entries, ends] = [0, 0]
    const count = (more: readonly LogEntry[]): void => {
      entries += more.length
      for (const { time, data } of more) {
        // Not simply the first: two streams are not in order with each other.
        if (earliest === undefined || time < earliest) earliest = time
        if (data.length < pieceBytes || data.at(-1) === 0x0a) ends += 1
      }
    }
    for await (const frames of await api.containers.logBlocks(id, range, call)) count(reader.read(frames))
    count(reader.end())
    if (earliest === undefined || entries < asked) return beginning
    // The first may be the end of a line that began before.
    if (ends > lines) {
      const place = { time: earliest, told: 0 }
      return { stdout: place, stderr: place }
    }
  }
}
