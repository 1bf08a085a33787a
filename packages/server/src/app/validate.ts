/** Whether what came in is what the endpoint describes. Compiled for the usual case; explained by the schema itself. */
import type { Endpoint } from '@gantry/api'
import { compileValidator, type Validator } from '@gantry/api/validator'
import { checkPlainJson, Fault, formatPath, type Issue, kinds } from '@gantry/core'
import type { z } from 'zod'
import { readWishes } from '../apply/wish.ts'

export type Validate = {
  params(value: unknown): unknown
  query(value: unknown): unknown
  /** The body as it was sent: defaults and rules across fields are the matter of the kind that reads it. */
  body(value: unknown): unknown
}

export function validatorsOf({ operation, params, query, body }: Endpoint): Validate {
  // Compiled when first asked: all of them at once would be half of the time that a server takes to start.
  let fits: Validator | undefined
  // Most requests have no query at all, and what that comes to is always the same.
  let nothing: unknown
  return {
    params: (value) => parse(params, value, 'The path'),
    query(value) {
      if (!isEmpty(value)) return parse(query, value, 'The query')
      nothing ??= Object.freeze(parse(query, value, 'The query'))
      return nothing
    },
    body(value) {
      if (!body) return undefined
      const unsafe = checkPlainJson(value)
      if (unsafe.length > 0) throw invalid('The body', unsafe)
      fits ??= compileValidator(body.schema)
      if (!fits(value)) explain(body.schema, value, operation.startsWith('objects.'))
      return value
    },
  }
}

function parse(schema: z.ZodType, value: unknown, what: string): unknown {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  throw invalid(what, issuesOf(error))
}

function isEmpty(value: unknown): boolean {
  for (const _ in value as object) return false
  return true
}

/** `many`: it is about objects of any kind at once. */
function explain(schema: z.ZodType, value: unknown, many: boolean): void {
  // A kind has better words for it, and the field that was probably meant.
  Object.values(kinds)
    .find(({ envelope }) => envelope === schema)
    ?.parse(value)
  const objects = many ? (value as { readonly objects?: unknown } | null)?.objects : undefined
  if (Array.isArray(objects)) readWishes(objects, 'any')
  const { error } = schema.safeParse(value)
  const fallback = [{ path: '', message: 'does not have the shape that this endpoint describes' }]
  throw invalid('The body', error ? issuesOf(error) : fallback)
}

const mostIssues = 100

function issuesOf({ issues }: z.ZodError): Issue[] {
  return issues.slice(0, mostIssues).flatMap((issue): Issue[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    if (issue.code !== 'unrecognized_keys') return [{ path: formatPath(path), message: issue.message }]
    return issue.keys.map((key) => ({ path: formatPath([...path, key]), message: 'is not a field here' }))
  })
}

function invalid(what: string, issues: readonly Issue[]): Fault {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  const words = [first?.path, first?.message].filter((part) => part !== undefined && part !== '').join(' ')
  return new Fault('schema', `${what} is not valid: ${words}${more}`, { issues })
}
