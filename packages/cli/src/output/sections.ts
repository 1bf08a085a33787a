/** Pure: what is said about one thing: fields side by side, and parts under titles. */
import { age } from './age.ts'
import { clean, width } from './table.ts'

export type Field = readonly [label: string, value: string | undefined]

/** Fields without a value are left out. A value of several lines goes on below itself. */
export function fieldLines(fields: readonly Field[], indent = ''): string {
  const known = fields.filter((field): field is readonly [string, string] => field[1] !== undefined)
  const widest = Math.max(0, ...known.map(([label]) => width(label)))
  return known
    .map(([label, value]) => {
      const start = `${indent}${label}:${' '.repeat(widest - width(label) + 2)}`
      const lines = value.split('\n').map(clean)
      return `${start}${lines.join(`\n${' '.repeat(start.length)}`)}`.trimEnd()
    })
    .map((line) => `${line}\n`)
    .join('')
}

/** Nothing if there is nothing to put under the title. */
export function section(title: string, body: string): string {
  return body === '' ? '' : `\n${title}:\n${indented(body)}`
}

export function indented(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by)
}

/** When, and how long ago that is. */
export function moment(time: string | undefined, now: number): string | undefined {
  return time === undefined ? undefined : `${time} (${age(time, now)} ago)`
}
