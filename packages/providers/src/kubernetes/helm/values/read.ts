/** A values file, read as Helm reads it: Go's YAML, where `on` is true and 012 is ten. */
import type { Issue } from '@gantry/core'
import { Composer, Parser } from 'yaml'
import { type Fields, isFields } from '../../manifests/fields.ts'
import { toJson } from '../../manifests/read/to-json.ts'

export type ReadValues = { readonly values: Fields; readonly issues: readonly Issue[] }

export function readValues(text: string, path: string): ReadValues {
  const issues: Issue[] = []
  const options = { schema: 'failsafe', uniqueKeys: false, merge: false, prettyErrors: false } as const
  const [document] = new Composer(options).compose(new Parser().parse(text))
  if (!document) return { values: {}, issues }
  for (const error of document.errors) issues.push({ path, message: `is no YAML: ${error.message}` })
  if (issues.length > 0) return { values: {}, issues }
  const value = toJson(document, (_node, message) => issues.push({ path, message }))
  if (isFields(value)) return { values: value, issues }
  const isEmpty = value === null || value === undefined || value === ''
  if (!isEmpty) issues.push({ path, message: 'must be a map of values by name' })
  return { values: {}, issues }
}
