/** Pure: limits, as they are written and as they are shown. */
import type { TenantQuota } from '@gantry/api'
import { Fault, nearest } from '@gantry/core'
import { table } from '../../output/table.ts'

/** In the order people read it; a test holds it to the kind, whose schema is too heavy to be loaded for this. */
export const counters = ['workloads', 'replicas', 'services', 'cpu', 'memory', 'disk', 'secrets'] as const

const counted: ReadonlySet<string> = new Set(['workloads', 'replicas', 'services', 'secrets'])

export type Limits = Readonly<Record<string, string | number | null>>

/** `none` is null, which a merge patch takes away. What a quantity is, the server knows. */
export function limitsOf(words: readonly string[]): Limits {
  return Object.fromEntries(words.map(limitOf))
}

function limitOf(word: string): readonly [string, string | number | null] {
  const [, key = '', value = ''] = /^([^=]*)=(.+)$/.exec(word) ?? []
  if (value === '') throw new Fault('bad_request', `${JSON.stringify(word)} is no limit; write KEY=LIMIT, as in cpu=8`)
  if (!(counters as readonly string[]).includes(key)) {
    const guess = nearest(key, counters)
    const hint = guess === undefined ? `there are ${counters.join(', ')}` : `did you mean "${guess}"?`
    throw new Fault('bad_request', `Nobody counts ${JSON.stringify(key)}; ${hint}`)
  }
  if (value === 'none') return [key, null]
  if (!counted.has(key)) return [key, value]
  if (!/^\d{1,7}$/.test(value))
    throw new Fault('bad_request', `The limit of ${key} is a whole number, and not ${value}`)
  return [key, Number(value)]
}

export function quotaTable({ limits, used }: Pick<TenantQuota, 'limits' | 'used'>): string {
  const text = (value: unknown): string => (value === undefined ? '-' : String(value))
  const rows = counters.map((key) => [
    key,
    text(used[key]),
    limits[key] === undefined ? 'unlimited' : text(limits[key]),
  ])
  return table(['OF', 'USED', 'LIMIT'], rows)
}
