/** Pure: what a server says is wrong with which field. */
import type { Issue } from '@gantry/core'
import type { StatusCause } from './types/status.ts'

/** Fields that somebody else manages: the path without the leading dot, and whose it is. */
export function conflictIssues(causes: readonly StatusCause[]): readonly Issue[] {
  return causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field = '', message = '' }) => ({ path: field.replace(/^\./, ''), message: ownerText(message) }))
}

/** `conflict with "kubectl" with subresource "scale" using apps/v1`, and older ones without the rest. */
function ownerText(message: string): string {
  const [, manager, subresource] = /^conflict with "([^"]*)"(?: with subresource "([^"]*)")?/.exec(message) ?? []
  if (manager === undefined) return message
  return `is managed by ${manager}${subresource ? ` (through ${subresource})` : ''}`
}

/** Values that are refused. One that has no field is of the object as a whole. */
export function fieldIssues(causes: readonly StatusCause[]): readonly Issue[] {
  return causes.map(({ field = '', message = '' }) => ({ path: field === '<nil>' ? '' : field, message }))
}

/** `strict decoding error: unknown field "spec.a", duplicate field "spec.b"`. */
export function strictIssues(message: string): readonly Issue[] {
  const [, list] = /strict decoding error: (.*)$/s.exec(message) ?? []
  if (list === undefined) return []
  return [...list.matchAll(/(unknown|duplicate) field "([^"]*)"/g)].map(([, what = '', path = '']) => ({
    path,
    message: what === 'unknown' ? 'is no field of this kind' : 'is there twice',
  }))
}

/** How server-side apply says, with status 500, that what it was given does not fit its kind. */
export const typedPatch = /failed to create typed patch object \([^)]*\): /

/** `….spec.prots: field not declared in schema`, a line for each where there are several. */
export function typedIssues(message: string): readonly Issue[] {
  const [head = ''] = typedPatch.exec(message) ?? []
  if (head === '') return []
  const list = message.slice(message.indexOf(head) + head.length)
  return [...list.matchAll(/^\s*(?:- )?\.(\S+): (.*)$/gm)].map(([, path = '', said = '']) => ({
    path,
    message: said === 'field not declared in schema' ? 'is no field of this kind' : said,
  }))
}

export function issueText(issues: readonly Issue[]): string {
  const shown = issues.slice(0, 5).map(({ path, message }) => `${path} ${message}`)
  return `${shown.join('; ')}${issues.length > 5 ? ` (and ${issues.length - 5} more)` : ''}`
}
