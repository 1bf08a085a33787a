/** Objects for programs. The shapes are a promise: docs/cli says them, and tests hold them. */
import type { AnyObject } from '../objects/access.ts'

export type DataFormat = 'json' | 'yaml' | 'name'

/** What a list is, whatever is in it. */
export type ObjectList = {
  readonly apiVersion: 'gantry/v1'
  readonly kind: 'List'
  readonly items: readonly AnyObject[]
}

export function listOf(items: readonly AnyObject[]): ObjectList {
  return { apiVersion: 'gantry/v1', kind: 'List', items }
}

/** `yaml` is loaded only by who asks for it. */
export async function dataText(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(value, undefined, 2)}\n`
  return (await import('yaml')).stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** `workload/web`, as every command takes it. */
export function nameOf({ kind, metadata }: Pick<AnyObject, 'kind' | 'metadata'>): string {
  return `${kind.toLowerCase()}/${metadata.name}`
}
