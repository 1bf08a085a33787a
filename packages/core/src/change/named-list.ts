/** Lists whose entries have names (services, ports, volumes …) are compared and merged by name, not by place. */
import { isRecord } from '../json.ts'

export type Named = { readonly name: string; readonly [key: string]: unknown }

/** By name, in order; `undefined` where an entry has no name or two have the same. An empty list is a named one. */
export function byName(list: readonly unknown[]): Map<string, Named> | undefined {
  const found = new Map<string, Named>()
  for (const item of list) {
    if (!isRecord(item) || typeof item.name !== 'string' || found.has(item.name)) return undefined
    found.set(item.name, item as Named)
  }
  return found
}
