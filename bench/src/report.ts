/** Pure: a report as a table for a terminal and as a section of RESULTS.md. */
import type { Better, Report, Row } from './bench.ts'
import { plain } from './rounds.ts'

const headings = ['case', 'ours', 'spread', 'peer', 'spread', 'ratio', 'must', ''] as const

export function terminalTable(report: Report): string {
  if (report.missing !== undefined) return `${report.name}: not measured. ${report.missing}`
  const lines = [headings as readonly string[], ...report.rows.map((row) => cells(report.better, row))]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const body = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [`${report.name} (${report.unit}, ${report.better} is better)`, ...body].join('\n')
}

/** `taken`: when and where. */
export function markdownSection(report: Report, about: string, taken: string): string {
  if (report.missing !== undefined) return `## ${report.name}\n\n${about} Not measured: ${report.missing}\n`
  const rows = [
    headings as readonly string[],
    headings.map(() => '---'),
    ...report.rows.map((row) => cells(report.better, row)),
  ]
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n')
  return `## ${report.name}\n\n${about} Unit: ${report.unit}, ${report.better} is better. ${taken}\n\n${table}\n`
}

function cells(better: Better, row: Row): readonly string[] {
  const theirs =
    row.peerName === null
      ? '–'
      : row.missing
        ? `${row.peerName}: missing, ${row.missing}`
        : plain(row.peer ?? Number.NaN)
  const must =
    row.limit === undefined
      ? `${better === 'higher' ? '≥' : '≤'} ${row.reach}× ${row.peerName}`
      : `within ${plain(row.limit)}`
  return [
    row.case,
    plain(row.ours),
    range(row.spread.ours),
    theirs,
    row.spread.peer ? range(row.spread.peer) : '–',
    row.ratio === null ? '–' : `${row.ratio.toFixed(2)}×`,
    must,
    row.reached ? 'reached' : 'SHORT',
  ]
}

function range([low, high]: readonly [number, number]): string {
  return `${plain(low)}–${plain(high)}`
}
