/** Files are small: none over 500 lines, and half of what is not a test under 100. */
import { isSource, isTest, type Offence, type RepoFile, type Rule } from './rule.ts'

export const mostLines = 500
export const mostInTheMiddle = 100

export const fileBudget: Rule = {
  name: 'file budget',
  check(files) {
    const written = files.filter((file) => isSource(file) && !file.path.endsWith('.generated.ts'))
    const large = written
      .filter((file) => linesOf(file) > mostLines)
      .map(
        (file): Offence => ({ path: file.path, line: mostLines, what: `${linesOf(file)} lines, at most ${mostLines}` }),
      )
    const middle = median(written.filter((file) => !isTest(file)).map(linesOf))
    if (middle < mostInTheMiddle) return large
    return [
      ...large,
      { path: '.', line: 1, what: `the median of all source files is ${middle} lines, not under ${mostInTheMiddle}` },
    ]
  },
}

export function linesOf({ text }: RepoFile): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
