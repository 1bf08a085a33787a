/** The last lines of `npm test`. */
import type { EngineLine } from './engine-lines.ts'
import { add, nothing, type Skip } from './tally.ts'
import type { NodeRun } from './verdict.ts'

export function closingReport(
  runs: readonly NodeRun[],
  engines: readonly EngineLine[],
  problems: readonly string[],
): string {
  // A run that came to no result must not read like one in which nothing failed.
  const whole = runs.map(({ tally }) => tally ?? { ...nothing, failed: 1 }).reduce(add, nothing)
  const nodes = runs.map(({ node, tally }) => [`Node ${node}`, tally ? counts(tally) : 'no result'] as const)
  const sections = [
    section('Skipped', skipLines(whole.skips)),
    section('Failed', runs.flatMap(failureLines)),
    section('Not green', problems),
    runs.length > 1 ? section('Nodes', columns(nodes)) : [],
    section('Engines', columns(engines.map(({ name, state }) => [name, state] as const))),
    [counts(whole)],
  ]
  return sections.flat().join('\n')
}

/** The same skip on several versions of Node, or for one reason in a whole file, is told once with its number. */
function skipLines(skips: readonly Skip[]): string[] {
  const groups = new Map<string, string[]>()
  for (const { file, why, title } of skips) {
    const line = `${file}: ${why ?? 'NO REASON GIVEN'}`
    groups.set(line, [...(groups.get(line) ?? []), title])
  }
  return [...groups].map(([line, titles]) => `${line} (${titles.length === 1 ? titles[0] : `${titles.length} tests`})`)
}

function failureLines({ node, tally }: NodeRun): string[] {
  return (tally?.failures ?? []).flatMap(({ file, title, message, diff = [] }) => [
    `Node ${node}: ${[file, title].filter((part) => part !== '').join(' > ')}`,
    `  ${message}`,
    ...diff.map((line) => `    ${line}`),
  ])
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), '']
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `${first.padEnd(width)}  ${second}`)
}

function counts({ passed, failed, skipped }: { passed: number; failed: number; skipped: number }): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
