/** A spec as a person reads it: short values on their line, the rest as YAML below its name. */
import { fieldLines, indented } from '../../output/sections.ts'

export async function specText(spec: unknown): Promise<string> {
  if (typeof spec !== 'object' || spec === null) return ''
  const { stringify } = await import('yaml')
  const entries = Object.entries(spec).filter(([, value]) => value !== undefined && !isEmpty(value))
  const short = entries.flatMap(([key, value]) => {
    const text = inOneLine(value)
    return text === undefined ? [] : [[key, text] as const]
  })
  const long = entries.filter(([, value]) => inOneLine(value) === undefined)
  const blocks = long.map(([key, value]) => `${key}:\n${indented(stringify(value, { lineWidth: 0 }))}`)
  return fieldLines(short) + blocks.join('')
}

function inOneLine(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\n') ? undefined : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')) {
    return value.join(', ')
  }
  return undefined
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
