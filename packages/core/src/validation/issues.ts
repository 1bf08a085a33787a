/** What zod found, said as a person would: every offending field at once, with its path and the nearest valid name. */
import type { z } from 'zod'
import { documentLimits } from '../document/limits.ts'
import type { Issue } from '../fault.ts'
import { own } from '../json.ts'
import { formatPath, type Path } from '../path.ts'
import { nearest } from './nearest.ts'
import { keysAt } from './schema-keys.ts'
import { wrongFormat, wrongSize, wrongType, wrongValue } from './wording.ts'

/** Names that are kept free for later: the path as a user reads it, and what to say about it. */
export type Reserved = Readonly<Record<string, string>>

/** An issue that still has its path in parts, for those who look up lines or compare. */
export type Finding = { readonly path: Path; readonly message: string; readonly unknownKey?: true }

type Context = { readonly schema: z.core.$ZodType; readonly input: unknown; readonly reserved: Reserved }

export function findings(error: z.core.$ZodError, context: Context): Finding[] {
  return error.issues.flatMap((issue) => explain(issue, [], context)).slice(0, documentLimits.issues)
}

export function toIssue({ path, message }: Finding): Issue {
  return { path: formatPath(path), message }
}

function explain(issue: z.core.$ZodIssue, base: Path, context: Context): Finding[] {
  const path = [...base, ...(issue.path as Path)]
  const say = (message: string): Finding[] => [{ path, message }]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        message: unknownKey(key, path, context),
        unknownKey: true,
      }))
    case 'invalid_union':
      return explainUnion(issue, path, context)
    case 'invalid_key':
      return say(issue.issues[0]?.message ?? 'is not a valid key')
    case 'invalid_type':
      return say(wrongType(issue.expected, valueAt(context.input, path)))
    case 'invalid_value':
      return say(wrongValue(issue.values, valueAt(context.input, path)))
    case 'too_small':
    case 'too_big':
      return say(wrongSize(issue))
    case 'invalid_format':
      return say(wrongFormat(issue))
    default:
      return say(issue.message)
  }
}

function unknownKey(key: string, path: Path, { schema, reserved }: Context): string {
  const purpose = reserved[formatPath([...path, key])]
  if (purpose !== undefined) return `is reserved: ${purpose}`
  const known = keysAt(schema, path)
  const guess = nearest(key, known)
  if (guess !== undefined) return `is not a field here; did you mean "${guess}"?`
  if (known.length === 0) return 'is not a field here; nothing may be written here yet'
  return `is not a field here; there are ${known.join(', ')}`
}

/** The branch that the user most likely meant: the one that got furthest, i.e. is not simply of another type. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, path: Path, context: Context): Finding[] {
  const branches = issue.errors.filter((errors) => errors.length > 0)
  const meant = branches.filter(
    (errors) => !errors.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0),
  )
  const best = meant.toSorted((left, right) => left.length - right.length)[0]
  if (best) return best.flatMap((inner) => explain(inner, path, context))
  const types = branches.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [inner.expected] : []))
  return [{ path, message: wrongType([...new Set(types)].join(' or '), valueAt(context.input, path)) }]
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce(own, input)
}
