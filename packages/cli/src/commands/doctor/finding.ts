/** What was found out about one thing. */
import type { Style } from '../../output/style.ts'
import { width } from '../../output/table.ts'

export type Finding = {
  /** One or two words. */
  readonly about: string
  /** absent: not there, which is nothing wrong. */
  readonly verdict: 'good' | 'warning' | 'bad' | 'absent'
  readonly found: string
  /** What to do about it. */
  readonly next?: string
}

const marks = { good: 'ok', warning: 'warn', bad: 'bad', absent: '-' } as const
const paints = { good: 'good', warning: 'warn', bad: 'bad', absent: 'dim' } as const

/** Pure: as people read it, with what to do below what is not right. */
export function findingsText(findings: readonly Finding[], style: Style): string {
  const widest = Math.max(0, ...findings.map(({ about }) => width(about)))
  const lines = findings.flatMap(({ about, verdict, found, next }) => {
    const mark = style[paints[verdict]](marks[verdict].padEnd(4))
    const line = `${mark}  ${about.padEnd(widest)}  ${found}`
    return next === undefined ? [line] : [line, `${' '.repeat(widest + 8)}${style.dim('→')} ${next}`]
  })
  return `${lines.join('\n')}\n`
}

export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ verdict }) => verdict !== 'bad')
}
