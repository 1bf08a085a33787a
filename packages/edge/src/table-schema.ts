/** Reads a table, whoever handed it over: the server, or the disk after years. What does not hold together is refused whole. */
import { z } from 'zod'
import { parseRange } from './proxy/trusted.ts'
import type { EdgeTable } from './table.ts'

const dial = z.union([
  z.strictObject({ host: z.string().min(1).max(255), port: z.int().min(1).max(65_535) }),
  z.strictObject({ unix: z.string().min(1).max(107) }),
])

const backend = z.strictObject({
  id: z.string().min(1),
  dial,
  leaving: z.boolean(),
  maxConnectionAgeMs: z.number().min(0).optional(),
})

const slot = z.strictObject({
  slot: z.enum(['a', 'b']),
  weight: z.number().min(0).max(1_000_000),
  backends: z.array(z.string()),
})

const route = z.strictObject({
  id: z.string().min(1),
  host: z.string().regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'is not a host name in lower case'),
  path: z.string().regex(/^\/[!-~]*$/, 'does not begin with a slash'),
  workload: z.strictObject({ tenant: z.string(), name: z.string(), uid: z.string() }),
  slots: z.array(slot),
  why: z.string().optional(),
})

const table = z.strictObject({
  version: z.literal(1),
  number: z.int().min(0),
  backends: z.array(backend),
  routes: z.array(route),
  trusted: z.array(z.string().refine((text) => parseRange(text) !== undefined, 'is no address and no range')),
})

export type ReadTable = { readonly table: EdgeTable } | { readonly wrong: string }

export function readTable(value: unknown): ReadTable {
  const read = table.safeParse(value)
  if (!read.success) {
    const first = read.error.issues[0]
    return { wrong: `${first?.path.join('.') || 'it'}: ${first?.message ?? 'does not read'}` }
  }
  const wrong = contradiction(read.data as EdgeTable)
  return wrong === undefined ? { table: read.data as EdgeTable } : { wrong }
}

function contradiction({ backends, routes }: EdgeTable): string | undefined {
  const ids = new Set(backends.map(({ id }) => id))
  if (ids.size < backends.length) return 'two backends have the same id'
  const places = new Set<string>()
  const names = new Set<string>()
  for (const { id, host, path, slots } of routes) {
    if (isThere(names, id)) return `two routes have the id ${id}`
    if (isThere(places, `${host}${path}`)) return `two routes are for ${host}${path}`
    if (host.includes('..')) return `${host} is not a host name`
    const missing = slots.flatMap((of) => of.backends).find((backend) => !ids.has(backend))
    if (missing !== undefined) return `route ${id} names the backend ${missing}, which is not in the table`
  }
  return undefined
}

function isThere(set: Set<string>, value: string): boolean {
  if (set.has(value)) return true
  set.add(value)
  return false
}
