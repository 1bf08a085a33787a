/** How each sort of mistake is put into words. */
import type { z } from 'zod'
import { nearest } from './nearest.ts'

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

export function wrongType(expected: string, value: unknown): string {
  if (value === undefined) return 'is required'
  const wanted = expected
    .split(' or ')
    .map((type) => typeNames[type] ?? type)
    .join(' or ')
  if (value === null) return `is empty; write ${wanted}, or leave it out`
  const hint = expected === 'string' && typeof value !== 'object' ? '; write it in quotes' : ''
  return `must be ${wanted}, not ${describe(value)}${hint}`
}

export function wrongValue(values: readonly unknown[], value: unknown): string {
  if (value === undefined) return 'is required'
  const names = values.filter((name) => name !== '').map(String)
  const guess = typeof value === 'string' ? nearest(value, names) : undefined
  const hint = guess === undefined ? '' : `; did you mean "${guess}"?`
  const choice = names.length === 1 ? names[0] : `one of ${names.join(', ')}`
  return `must be ${choice}, not ${describe(value)}${hint}`
}

export function wrongSize(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [bound, limit] = issue.code === 'too_small' ? ['at least', issue.minimum] : ['at most', issue.maximum]
  if (issue.origin === 'string' && issue.code === 'too_small' && Number(limit) === 1) return 'must not be empty'
  if (issue.origin === 'string') return `must have ${bound} ${limit} characters`
  if (issue.origin === 'array') return `must have ${bound} ${limit} ${Number(limit) === 1 ? 'entry' : 'entries'}`
  return `must be ${bound} ${limit}`
}

/** A pattern of ours carries its own words; the library's own formats do not. */
export function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat): string {
  return issue.format === 'regex' ? issue.message : `must be a valid ${formatNames[issue.format] ?? issue.format}`
}

const formatNames: Readonly<Record<string, string>> = { ipv4: 'IP address', ipv6: 'IP address' }

function describe(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value !== 'string') return `${typeof value === 'number' ? 'the number ' : ''}${String(value)}`
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
}
