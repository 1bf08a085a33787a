/** Pure: what is waited for, as it is written behind `--for`, and whether an object has come to it. */
import { type Condition, type ConditionStatus, Fault, nearest } from '@gantry/core'
import { age } from '../../output/age.ts'
import type { AnyObject } from '../access.ts'

export type Goal =
  | { readonly type: 'condition'; readonly condition: string; readonly status: ConditionStatus }
  | { readonly type: 'delete' }
  | { readonly type: 'field'; readonly path: readonly string[]; readonly value: string }

/** `now`: how it is instead, as a sentence about it goes on. */
export type Judged = { readonly isMet: boolean; readonly now: string }

const conditions = ['Ready', 'Progressing', 'Degraded'] as const
const statuses: readonly ConditionStatus[] = ['True', 'False', 'Unknown']

export function goalOf(text: string): Goal {
  if (text === 'delete') return { type: 'delete' }
  const [first = '', ...rest] = text.split('=')
  if (first === 'condition' && rest.length > 0) return conditionGoal(rest)
  if (/^(metadata|spec|status)(\.[\w-]+)+$/.test(first) && rest.length > 0) {
    return { type: 'field', path: first.split('.'), value: rest.join('=') }
  }
  throw new Fault(
    'bad_request',
    `--for=${text} cannot be waited for; write condition=Ready, condition=Degraded=False, delete, or a field such as status.state=running`,
  )
}

function conditionGoal([name = '', wanted = 'True', ...more]: readonly string[]): Goal {
  const condition = conditions.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name
  const status = statuses.find((one) => one.toLowerCase() === wanted.toLowerCase())
  if (status === undefined || more.length > 0) {
    const given = [wanted, ...more].join('=')
    throw new Fault('bad_request', `A condition is True, False or Unknown, and never ${JSON.stringify(given)}`)
  }
  if (name === '') throw new Fault('bad_request', `Which condition? There are ${conditions.join(', ')}`)
  const guess = nearest(condition, [...conditions])
  if (!conditions.some((one) => one === condition) && guess !== undefined) {
    throw new Fault('bad_request', `No object has a condition ${JSON.stringify(name)}; did you mean "${guess}"?`)
  }
  return { type: 'condition', condition, status }
}

/** Reads on from "waits for ". */
export function goalWords(goal: Goal): string {
  if (goal.type === 'delete') return 'it to be gone'
  if (goal.type === 'field') return `${goal.path.join('.')} to be ${goal.value}`
  return `condition ${goal.condition} to be ${goal.status}`
}

export function judge(goal: Goal, object: AnyObject, now: number): Judged {
  switch (goal.type) {
    case 'delete':
      return { isMet: false, now: leaving(object, now) }
    case 'condition':
      return conditionJudged(goal, object, now)
    case 'field': {
      const value = valueAt(object, goal.path)
      return { isMet: value === goal.value, now: `${goal.path.join('.')} is ${value ?? 'not set'}` }
    }
    default:
      return goal satisfies never
  }
}

function conditionJudged(
  { condition, status }: Extract<Goal, { type: 'condition' }>,
  object: AnyObject,
  now: number,
): Judged {
  const { generation } = object.metadata
  const { observedGeneration, conditions: all = [] } = object.status
  const found: Condition | undefined = all.find(({ type }) => type === condition)
  // A status that is about an older spec says nothing about what is asked for now.
  if (observedGeneration !== undefined && observedGeneration < generation) {
    return { isMet: false, now: `what is known is about generation ${observedGeneration} and not yet ${generation}` }
  }
  if (!found) return { isMet: false, now: `there is no condition ${condition} yet` }
  const why = found.message === '' ? '' : `: ${found.message}`
  return { isMet: found.status === status, now: `${condition} is ${found.status} since ${age(found.since, now)}${why}` }
}

function leaving({ metadata: { deletionRequestedAt, finalizers } }: AnyObject, now: number): string {
  if (deletionRequestedAt === undefined) return 'nobody has asked for it to be deleted'
  const held = finalizers.length === 0 ? '' : `, held by ${finalizers.join(', ')}`
  return `it is being deleted since ${age(deletionRequestedAt, now)}${held}`
}

function valueAt(object: AnyObject, path: readonly string[]): string | undefined {
  let value: unknown = object
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
