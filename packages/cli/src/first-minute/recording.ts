/** Pure: what was played, as a file for asciinema (version 2), as text for the README, and what of it is the same every time. */
import type { Frame, Played } from './play.ts'
import { columns, rows } from './session.ts'

const typingMs = 35
const pauseMs = 900

/** A line of JSON for the head, and one for each text with the second at which it came. */
export function castOf(played: readonly Played[]): string {
  let nowMs = 0
  const events: Frame[] = []
  for (const { line, frames } of played) {
    events.push({ atMs: nowMs, text: '$ ' })
    for (const letter of line) {
      nowMs += typingMs
      events.push({ atMs: nowMs, text: letter })
    }
    nowMs += typingMs
    events.push({ atMs: nowMs, text: '\r\n' })
    for (const { atMs, text } of frames) events.push({ atMs: nowMs + atMs, text })
    nowMs += (frames.at(-1)?.atMs ?? 0) + pauseMs
  }
  const head = {
    version: 2,
    width: columns,
    height: rows,
    title: 'The first minute of Gantry',
    env: { TERM: 'xterm-256color' },
  }
  const lines = events.map(({ atMs, text }) => JSON.stringify([Number((atMs / 1000).toFixed(3)), 'o', text]))
  return `${[JSON.stringify(head), ...lines].join('\n')}\n`
}

/** All that a recording has written. */
export function textOfCast(cast: string): string {
  const [, ...lines] = cast.trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as [number, string, string])[2]).join('')
}

export function transcriptOf(played: readonly Played[]): string {
  return `${played.map(({ line, screen }) => `$ ${line}\n${screen}`).join('\n\n')}\n`
}

/** Without what is another every time: times, processes, ports, and the blanks that they take. */
export function lasting(text: string): string {
  return text
    .replaceAll(/\b\d+(\.\d+)?(ms|s|m|h)(\d+m)?\b/g, 'TIME')
    .replaceAll(/process \d+/g, 'process PID')
    .replaceAll(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
    .replaceAll(/ {2,}/g, '  ')
    .replaceAll(/[ \t]+$/gm, '')
}
