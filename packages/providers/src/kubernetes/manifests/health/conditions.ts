/** Conditions, which most kinds say their state by, and all that is known of kinds that we do not know. */
import { at, listAt, numberAt, textAt } from '../fields.ts'
import { failed, type Health, ready, waiting } from './verdict.ts'

export type Seen = {
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly at?: Date
  readonly old: boolean
}

/** `old`: said of an earlier generation of the object. */
export function conditionOf(object: unknown, type: string): Seen | undefined {
  const found = listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type)
  if (!found) return undefined
  const reason = textAt(found, 'reason')
  const said = textAt(found, 'message') || reason
  const since = dateOf(textAt(found, 'lastTransitionTime'))
  const of = numberAt(found, 'observedGeneration')
  return {
    status: textAt(found, 'status') ?? 'Unknown',
    ...(reason ? { reason } : {}),
    ...(said ? { message: said } : {}),
    ...(since ? { at: since } : {}),
    old: of !== undefined && of < (numberAt(object, 'metadata', 'generation') ?? 0),
  }
}

export function dateOf(text: string | undefined): Date | undefined {
  const date = text === undefined ? undefined : new Date(text)
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}

/** Whether its controller has yet to read what it was told last. */
export function isBehind(object: unknown): boolean {
  const seen = numberAt(object, 'status', 'observedGeneration')
  return seen !== undefined && seen < (numberAt(object, 'metadata', 'generation') ?? 0)
}

/** Each says by being True that all is well; the first that is there counts. */
const good = [
  'Ready',
  'Available',
  'Healthy',
  'Programmed',
  'Established',
  'Synced',
  'Succeeded',
  'Complete',
  'Completed',
]
/** Each says by being True that it will not go on by itself. */
const bad = ['Stalled', 'Failed']

/** An object without conditions is ready by being there. */
export function healthByConditions(object: unknown): Health {
  if (isBehind(object)) return waiting('its controller has not seen the last change yet')
  for (const type of bad) {
    const said = conditionOf(object, type)
    if (said?.status === 'True' && !said.old) return failed(said.message ?? type)
  }
  const busy = conditionOf(object, 'Reconciling')
  if (busy?.status === 'True') return waiting(busy.message ?? 'is being reconciled')
  for (const type of good) {
    const said = conditionOf(object, type)
    if (!said) continue
    if (said.old) return waiting(`${type} is not known for the last change yet`)
    if (said.status === 'True') return ready(said.at)
    return waiting(said.message ?? `${type} is ${said.status}`)
  }
  return ready(dateOf(textAt(object, 'metadata', 'creationTimestamp')))
}

export const createdAt = (object: unknown): Date | undefined => dateOf(textAt(object, 'metadata', 'creationTimestamp'))

export const phaseOf = (object: unknown): string | undefined => textAt(object, 'status', 'phase')

export const wantedReplicas = (object: unknown): number => numberAt(object, 'spec', 'replicas') ?? 1

export const count = (object: unknown, name: string): number => numberAt(object, 'status', name) ?? 0

export const hasStatus = (object: unknown): boolean => at(object, 'status') !== undefined
